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
