import { expect, test } from 'vitest'
import { type PageKind, readBody } from '../read-body.ts'
import { type PageFormat, readMarkup } from '../read-markup.ts'

const read = (kind: PageKind, body: string, format: PageFormat = 'markdown') =>
  readBody(
    { kind, body, finalUrl: 'https://mill.example/feeds/all' },
    { format, mainContent: true },
  )

const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:atom="a"><channel><title>Mill news</title><atom:link href="https://mill.example/feed" rel="self"/><link>https://mill.example/</link><description>From the river</description>
  <image><title>Logo</title><link>https://mill.example/logo</link></image>
  <item><title>Wheel &amp; dam</title><link>/wheel</link><pubDate>Tue, 04 Mar 2025 10:00:00 GMT</pubDate><description>Short.</description><content:encoded><![CDATA[<p>The <b>wheel</b> turns again after nine months.</p><script>alert(1)</script>]]></content:encoded></item>
  <item><title>Prices</title><link>https://mill.example/prices</link><description>&lt;p&gt;Rye costs &lt;em&gt;less&lt;/em&gt;.&lt;/p&gt;</description></item>
</channel></rss>`

test('RSS becomes a heading for each entry, with its link, date and longest text', () => {
  const { title, content, format } = read('xml', rss)
  expect({ title, format }).toEqual({ title: 'Mill news', format: 'markdown' })
  expect(content).toContain('# [Mill news](https://mill.example/)')
  expect(content).toContain('From the river')
  expect(content).toContain('## [Wheel & dam](https://mill.example/wheel)')
  expect(content).toContain('Tue, 04 Mar 2025 10:00:00 GMT')
  expect(content).toContain('The **wheel** turns again after nine months.')
  expect(content).toMatch(/Rye costs [*_]less[*_]\./)
  expect(content).not.toMatch(/alert|Short\.|Logo|self/)
})

test('Atom does, its markup and its plain texts included', () => {
  const { content } = read(
    'xml',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill</title><link rel="self" href="/atom"/><link href="/"/>
      <entry><title type="html">Dams &amp;amp; gates</title><link rel="alternate" href="/dams?a=1&amp;b=2"/><link rel="replies" href="/x"/><published>2025-03-04</published><updated>2025-03-05</updated><author><name>Ada</name></author><content type="xhtml"><div xmlns="x"><p>Two <code>gates</code></p></div></content></entry>
      <entry><title>Plain</title><summary>1 &lt; 2, says the miller</summary></entry></feed>`,
  )
  expect(content).toContain('## [Dams & gates](https://mill.example/dams?a=1&b=2)')
  expect(content).toContain('2025-03-04, Ada')
  expect(content).toContain('Two `gates`')
  expect(content).toMatch(/1 \\?(?:<|&lt;) 2, says the miller/)
  expect(content).not.toMatch(/2025-03-05|replies/)
})

test('JSON Feed does', () => {
  const { title, content } = read(
    'json',
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Mill',
      home_page_url: 'https://mill.example/',
      items: [
        {
          id: 1,
          url: '/a',
          title: 'A',
          content_html: '<p>Rye <b>bread</b></p>',
          authors: [{ name: 'Ada' }],
        },
        { id: 2, content_text: 'No title < no link' },
        null,
      ],
    }),
  )
  expect(title).toBe('Mill')
  expect(content).toContain('## [A](https://mill.example/a)\n\nAda\n\nRye **bread**')
  expect(content).toContain('No title')
})

test('a feed asked for as html is clean html', () => {
  const { content, format } = read('xml', rss, 'html')
  expect(format).toBe('html')
  expect(content).toContain('<a href="https://mill.example/wheel">Wheel &amp; dam</a>')
  expect(content).not.toContain('<script')
})

test.each([
  ['xml', '<rss><channel><title>Empty</title></channel></rss>'],
  ['xml', '<urlset><url><loc>https://mill.example/</loc></url></urlset>'],
  ['xml', '<note><item>Not a feed</item></note>'],
  ['json', '{"version":"1.1","items":[]}'],
  ['json', '[1, 2'],
] as const)('other %s stays what it is: %s', (kind, body) => {
  expect(read(kind, body).content).toBe(`\`\`\`${kind}\n${body}\n\`\`\``)
})

test.each([
  ['json', '{"version":"https://jsonfeed.org/version/1", "items": [{', '"items": [{'],
  ['xml', '<rss><channel><item><title>Cut', 'Cut'],
  ['xml', `<rss><item>${'<title>'.repeat(50_000)}`, ''],
  ['xml', `<feed>${'<entry>'.repeat(50_000)}<content type="xhtml">${'<p>'.repeat(50_000)}`, ''],
  ['xml', `<rss><item><description>${'&'.repeat(200_000)}${'a'.repeat(200_000)}`, '&&a'],
] as const)('the words of broken %s are read', (kind, body, words) => {
  expect(read(kind, body).content).toContain(words)
})

test('text that was read as windows-1252 is mended, with and without main content', () => {
  const html = `<title>Mill</title><p>${'The miller donâ€™t sleep â€“ he counts. '.repeat(30)}</p>`
  for (const mainContent of [true, false]) {
    const page = readMarkup({ html, url: 'https://mill.example/', format: 'markdown', mainContent })
    expect(page.content).toContain('The miller don’t sleep – he counts.')
  }
})
