import { expect, test } from 'vitest'
import { listFrames } from './page/list-frames.ts'
import { readBody } from './read-body.ts'

const url = 'https://mill.example/docs/'
const sentence = 'The miller counted his sacks of flour every evening, and wrote their number down.'
const text = `<h1>Rye</h1>${`<p>${sentence}</p>`.repeat(6)}<p><a href="dam.html">The dam</a></p>`

test.each([
  ['<frameset><frame src="menu.html"><frame src="main.html"></frameset>', [0, 0]],
  ['<p>a<iframe src="menu.html"></iframe><iframe src="main.html"></iframe>', [4, 37]],
  [
    '<base href="https://mill.example/docs/"><iframe src=menu.html></iframe><iframe src="main.html"></iframe>',
    [40, 71],
  ],
])('the frames of %s are listed', (html, places) => {
  const expected = ['menu.html', 'main.html'].map((name, index) => ({
    at: places[index],
    url: `https://mill.example/docs/${name}`,
  }))
  expect(listFrames(html, url)).toEqual(expected)
})

test('a frame may hold its page itself', () => {
  expect(listFrames('<iframe srcdoc="&lt;p&gt;Rye"></iframe>', url)).toEqual([
    { at: 0, html: '<p>Rye' },
  ])
})

test.each([
  '<iframe src="/x" width="0" height="0"></iframe>',
  '<iframe src="/x" style="display:none;visibility:hidden"></iframe>',
  '<iframe src="/x" hidden></iframe>',
  '<iframe src="about:blank"></iframe>',
  '<iframe></iframe>',
  '<noscript><iframe src="/x"></iframe></noscript>',
  '<script>document.write("<iframe src=/x></iframe>")</script>',
  '<!-- <iframe src="/x"></iframe> -->',
])('%s shows nothing', (html) => {
  expect(listFrames(html, url)).toEqual([])
})

test('many frames are listed up to a limit, in linear time', () => {
  expect(listFrames('<iframe src="/x"></iframe>'.repeat(100_000), url)).toHaveLength(50)
  expect(listFrames('<iframe src="/x"'.repeat(300_000), url).length).toBeLessThan(51)
})

test('what a frame shows stands in its place, with links of its own', () => {
  const html =
    '<p>Before the frame.</p><iframe src="inner/rye.html"></iframe><p>After the frame.</p>'
  const [link] = listFrames(html, url)
  const frames = [{ at: link?.at ?? 0, url: link?.url ?? '', html: text }]
  const page = { kind: 'html', body: html, finalUrl: url, frames } as const
  const { content } = readBody(page, { format: 'markdown', mainContent: false })
  expect(content).toMatch(/^Before the frame\..*# Rye.*After the frame\.$/s)
  expect(content).toContain('[The dam](https://mill.example/docs/inner/dam.html)')
})

test('a frameset is what its frames show, frames inside of frames included', () => {
  const html = '<title>Mill</title><frameset><frame src="a.html"></frameset>'
  const inner = '<frameset><frame src="b/rye.html"></frameset>'
  const frames = [
    {
      at: html.indexOf('<frameset'),
      url: `${url}a.html`,
      html: inner,
      frames: [{ at: 0, url: `${url}b/rye.html`, html: text }],
    },
  ]
  const page = { kind: 'html', body: html, finalUrl: url, frames } as const
  const { title, content, survey } = readBody(page, { format: 'markdown', mainContent: true })
  expect(title).toMatch(/Mill|Rye/)
  expect(content).toContain(sentence)
  expect(content).toContain('[The dam](https://mill.example/docs/b/dam.html)')
  expect(survey.words).toBeGreaterThan(70)
})
