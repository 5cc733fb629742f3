import { afterAll, expect, test } from 'vitest'
import { createPageWorkers } from './page-workers.ts'

const workers = createPageWorkers({ threads: 2 })
afterAll(() => workers.close())

const url = 'https://example.com/a/b'
const read = (
  html: string,
  options: { format?: 'markdown' | 'html'; mainContent?: boolean } = {},
) => workers.readMarkup({ html, url, format: 'markdown', mainContent: true, ...options })

const paragraph =
  'The river ran past the old mill, and the miller, who was no fool, counted his sacks of flour.'
const site = `<title>The mill</title>
  <nav><a href="/">Home</a><a href="/shop">Shop</a></nav>
  <article><h1>The mill</h1>${`<p>${paragraph}</p>`.repeat(12)}
    <table><tr><th>Year</th><th>Sacks</th></tr><tr><td>1801</td><td>90</td></tr></table>
    <pre><code class="language-js">const sacks = 90</code></pre>
    <p>See <a href="../map">the map</a>.</p></article>
  <footer>Copyright, imprint, jobs</footer>`

test('main content is the article without the navigation and the footer', async () => {
  const { title, content } = await read(site)
  expect(title).toBe('The mill')
  expect(content).toContain(paragraph)
  expect(content).toContain('| Year | Sacks |')
  expect(content).toContain('```js\nconst sacks = 90\n```')
  expect(content).toContain('[the map](https://example.com/map)')
  expect(content).not.toMatch(/Shop|Copyright/)
})

test('without main_content the whole page is given', async () => {
  const { content } = await read(site, { mainContent: false })
  expect(content).toContain('[Shop](https://example.com/shop)')
  expect(content).toContain('Copyright')
  expect(content).toContain('# The mill')
})

test('html is clean html', async () => {
  const page = `${site}<script>alert(1)</script><p onclick="x()" class="big" style="color:red">late</p>`
  for (const mainContent of [true, false]) {
    const { content } = await read(page, { format: 'html', mainContent })
    expect(content).toContain(`<p>${paragraph}</p>`)
    expect(content).not.toMatch(/<script|onclick|class="big"|style=/)
  }
})

test('a page of equal parts keeps everything but its navigation and footer', async () => {
  const shop = `<nav><a href="/x">Menu</a></nav>${Array.from({ length: 30 }, (_each, index) => `<div class="card"><h3>Teapot ${index}</h3><p>Stoneware, one litre</p></div>`).join('')}<footer>Imprint</footer>`
  const { content } = await read(shop)
  expect(content).toContain('Teapot 0')
  expect(content).toContain('Teapot 29')
  expect(content).not.toContain('Imprint')
})

const repeat = (text: string, count: number) => text.repeat(count)
const hostile: readonly (readonly [string, string])[] = [
  ['deep blocks', `${repeat('<div>', 100_000)}x${repeat('</div>', 100_000)}`],
  ['deep inline', `${repeat('<b>', 100_000)}x`],
  ['deep tables', `${repeat('<table><tr><td>', 20_000)}x`],
  ['deep lists', `${repeat('<ul><li>', 20_000)}x`],
  ['100 000 links', repeat('<a href=x>l</a> ', 100_000)],
  ['100 000 unclosed paragraphs', repeat('<p>some words ', 100_000)],
  ['crossed tags', repeat('<b><i></p>', 100_000)],
  ['end tags of nothing', repeat('<div>', 50_000) + repeat('</span>', 100_000)],
  ['a million tags', repeat('<b><a>', 500_000)],
  ['an attribute of 5 MB', `<a title="${repeat('x', 5_000_000)}">x</a>`],
  ['an unclosed quote', `<p>x<a title="${repeat('<p>y', 500_000)}`],
  ['unclosed comments', repeat('<!--', 500_000)],
  ['unclosed scripts', repeat('<script>', 200_000)],
  ['less-than signs', repeat('<', 3_000_000)],
  ['entities', repeat('&amp;&#x1F600;&notanentity', 200_000)],
  ['5 MB of text', repeat('some words ', 450_000)],
  ['line breaks', `${repeat('<br>', 200_000)}x`],
  ['commas in divisions', repeat('<div class="comment">aa, bb<br><br></div>', 19_000)],
  [
    'nested divisions with many paragraphs',
    repeat('<div class="sidebar">', 200) + repeat('<p>lorem ipsum, dolor sit</p>', 18_000),
  ],
]

test.each(hostile)('%s: no crash, no hang', async (_name, html) => {
  await expect(read(html)).resolves.toMatchObject({ content: expect.any(String) })
})

test('after all that, a plain page is read as before', async () => {
  expect((await read(site)).content).toContain(paragraph)
})

test('waiting tasks are refused at closing', async () => {
  const closing = createPageWorkers({ threads: 1 })
  const waiting = [
    closing.readMarkup({ html: site, url, format: 'html', mainContent: true }),
    closing.readMarkup({ html: site, url, format: 'html', mainContent: true }),
  ]
  const refused = Promise.allSettled(waiting)
  await closing.close()
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a page that takes too long both ways is given up, and its threads end', async () => {
  const hasty = createPageWorkers({ threads: 1, limits: { cpuMs: 1, wallMs: 20_000 } })
  const long = `<title>Long</title>${repeat('<p>some, words here</p>', 15_000)}`
  await expect(
    hasty.readMarkup({ html: long, url, format: 'markdown', mainContent: true }),
  ).rejects.toThrow('took its thread down')
  await hasty.close()
})
