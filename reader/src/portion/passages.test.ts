import { expect, test } from 'vitest'
import { passagesOfHtml, passagesOfText } from './passages.ts'

test('passages know the headings above them, and the last id before them', () => {
  const passages = passagesOfHtml(
    `<p>Lead.</p>
     <section id="setup"><h2>Set <em>up</em></h2><p>Install it.</p>
       <h3 id="linux">Linux</h3><p>By apt.</p><dl><dt id="option-q">-q</dt><dd>Quiet.</dd></dl></section>
     <h2>Use</h2><ul><li>Start</li><li>Stop</li></ul>`,
  )
  expect(passages).toEqual([
    { headings: [], anchor: null, text: 'Lead.' },
    { headings: ['Set up'], anchor: 'setup', text: 'Install it.' },
    { headings: ['Set up', 'Linux'], anchor: 'linux', text: 'By apt.\n-q\nQuiet.' },
    { headings: ['Use'], anchor: null, text: 'Start\nStop' },
  ])
})

test('blocks share a passage until it is long enough, and listings keep their lines', () => {
  const paragraph = `<p>${'word '.repeat(100)}</p>`
  const passages = passagesOfHtml(
    `<h1>Title</h1>${paragraph}<p id="second">More.</p>${paragraph}<pre>one\n  two</pre>`,
  )
  expect(passages.map(({ text, anchor }) => [text.length, anchor])).toEqual([
    [499 + '\nMore.'.length, null],
    [499 + '\none\n  two'.length, 'second'],
  ])
  expect(passages[1]?.text).toMatch(/\none\n {2}two$/)
})

test('no passage is longer than 1,400 characters, and nothing is lost', () => {
  const words = Array.from({ length: 2_000 }, (_, at) => `w${at}`).join(' ')
  const unbroken = '漢'.repeat(3_000)
  const passages = passagesOfHtml(`<p>${words}</p><p>${unbroken}</p>`)
  expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(1_400)
  const joined = passages.map(({ text }) => text).join(' ')
  expect(joined.replaceAll(/\s/g, '')).toBe(`${words}${unbroken}`.replaceAll(/\s/g, ''))
})

test('Markdown is divided at its headings, but not inside of listings', () => {
  const text = '# One\n\nFirst\nlines.\n\n```sh\n# no heading\n\nls\n```\n## Two\nSecond.'
  expect(passagesOfText(text)).toEqual([
    { headings: ['One'], anchor: null, text: 'First\nlines.\n```sh\n# no heading\n\nls\n```' },
    { headings: ['One', 'Two'], anchor: null, text: 'Second.' },
  ])
})

test('content without text has no passages', () => {
  expect([passagesOfHtml('<p> <img src="a.png"></p>'), passagesOfText(' \n\n')]).toEqual([[], []])
})

const pageUrl = 'https://docs.example/list'
const entriesOf = (html: string) =>
  passagesOfHtml(html, pageUrl).flatMap(({ text, entries = [] }) =>
    entries.map(({ url, from, to }) => [url, text.slice(from, to).trim()]),
  )

test('what a list says of another page is an entry, with the description beside the link', () => {
  const ropes = 'https://docs.example/ropes'
  expect(entriesOf('<ul><li><a href="/ropes#top">Ropes</a>: all about ropes</li></ul>')).toEqual([
    [ropes, 'Ropes: all about ropes'],
  ])
  const pair = [
    [ropes, 'Ropes'],
    [ropes, 'All about ropes.'],
  ]
  expect(
    entriesOf('<dl><dt> <a href="ropes">Ropes</a>\n</dt>\n<dd><p>All about ropes.</p></dd></dl>'),
  ).toEqual(pair)
  expect(
    entriesOf(
      '<table><tr><td><a href="ropes">Ropes</a></td><td>All about ropes.</td></tr></table>',
    ),
  ).toEqual(pair)
  expect(entriesOf('<a href="ropes"><div>Ropes</div><p>All about ropes.</p></a>')).toEqual(pair)
  expect(entriesOf('<p><a href="ropes">Ropes</a>, <a href="/sails">Sails</a></p>')).toEqual([
    [ropes, 'Ropes'],
    ['https://docs.example/sails', 'Sails'],
  ])
})

test('links inside of sentences, to other sites, and to the page itself make no entries', () => {
  const prose = 'Read about <a href="/ropes">ropes</a> before you go on, since they wear out.'
  for (const html of [
    `<p>${prose}</p>`,
    `<ul><li>${prose}</li></ul>`,
    '<p><a href="/ropes">Ropes</a> wear out, and are then replaced by others of the same length.</p>',
    '<ul><li><a href="https://other.example/ropes">Ropes</a></li></ul>',
    '<ul><li><a href="#ropes">Ropes</a></li><li><a href="/list#ropes">Ropes</a></li></ul>',
    '<ul><li><a href="https://[">Ropes</a></li><li><a href="mailto:a@docs.example">Ropes</a></li></ul>',
  ])
    expect([html, entriesOf(html)]).toEqual([html, []])
  expect(passagesOfHtml('<ul><li><a href="/ropes">Ropes</a></li></ul>')).toEqual([
    { headings: [], anchor: null, text: 'Ropes' },
  ])
})

test('entries have their places in the passage, however many blocks it has', () => {
  const items = Array.from({ length: 50 }, (_, at) => `<li><a href="/p${at}">Page ${at}</a></li>`)
  const found = entriesOf(`<p>Lead.</p><ul>${items.join('\n')}</ul>`)
  expect(found).toEqual(items.map((_, at) => [`https://docs.example/p${at}`, `Page ${at}`]))
})

test('a passage below a heading that links to another page is about that page', () => {
  const [post, own] = passagesOfHtml(
    '<h2><a href="/post">A post</a></h2><p>It begins so.</p><h2>More <a href="/post">posts</a></h2><p>None.</p>',
    pageUrl,
  )
  expect(post).toMatchObject({ headings: ['A post'], headingUrl: 'https://docs.example/post' })
  expect(own?.headingUrl).toBeUndefined()
})

test('lines of Markdown that begin with a link are entries', () => {
  const text = '# All\n\n- [Ropes](ropes): all about ropes\n- see [Sails](/sails)\n\n[Knots](knots)'
  const found = passagesOfText(text, pageUrl).flatMap((passage) =>
    (passage.entries ?? []).map(({ url, from, to }) => [url, passage.text.slice(from, to)]),
  )
  expect(found).toEqual([
    ['https://docs.example/ropes', '- [Ropes](ropes): all about ropes'],
    ['https://docs.example/knots', '[Knots](knots)'],
  ])
})
