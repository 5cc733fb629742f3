import { gzipSync } from 'node:zlib'
import { createXmlScanner } from '@tollway/reader'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSitemap } from './sitemap.ts'

async function read(body: string | Buffer, options: { bytesMax?: number; pagesMax?: number } = {}) {
  const pages: string[] = []
  const sitemaps: string[] = []
  const bytes = await readSitemap(
    Buffer.from(body),
    {
      page: (address) => pages.push(address),
      sitemap: (address) => sitemaps.push(address),
      done: () => pages.length >= (options.pagesMax ?? Number.POSITIVE_INFINITY),
    },
    options.bytesMax,
  )
  return { pages, sitemaps, bytes }
}

const pagesOf = async (body: string | Buffer) => (await read(body)).pages
const urlset = (...addresses: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses
    .map((address) => `<url><loc>${address}</loc><lastmod>2024-01-01</lastmod></url>\n`)
    .join('')}</urlset>`
const two = ['https://example.com/1', 'https://example.com/2?a=b&c=d']
const written = ['https://example.com/1', 'https://example.com/2?a=b&amp;c=d'] as const

test.each([
  ['a sitemap', urlset(...written)],
  ['one with blanks and line breaks', urlset(...written).replaceAll('<loc>', '<loc>\n   ')],
  ['one with CDATA', urlset(written[0], '<![CDATA[https://example.com/2?a=b&c=d]]>')],
  ['one with numeric entities', urlset(written[0], 'https://example.com/2?a=b&#38;c&#x3D;d')],
  ['one with comments', urlset(`${written[0]}<!-- <loc>no</loc> > -->`, written[1])],
  ['one with a namespace prefix', urlset(...written).replaceAll(/<(\/?)(url|loc)/g, '<$1sm:$2')],
  ['one in capitals', urlset(...written).replaceAll('loc', 'LOC')],
  ['one with a byte order mark', `\ufeff\n${urlset(...written)}`],
  ['one in UTF-16', Buffer.from(`\ufeff${urlset(...written)}`, 'utf16le')],
  ['one whose end is missing', urlset(...written).replace(/<\/urlset>$/, '<url><loc>https://exam')],
  ['one whose tags do not close', `<urlset><url><loc>${written.join('<url><loc>')}</urlset>`],
  ['one with a stray <', urlset(...written).replaceAll('<lastmod>', '< 1 <lastmod')],
  [
    'one with pictures and languages',
    urlset(...written).replaceAll(
      '</url>',
      '<image:image><image:loc>https://example.com/i.png</image:loc></image:image><xhtml:link rel="alternate" href="https://example.com/de"/></url>',
    ),
  ],
  [
    'a list of lines',
    `${two[0]}\r\n# no address\nftp://example.com/\n  ${two[1]}\nhttps://example.com/${'x'.repeat(5_000)}`,
  ],
  ['a gzipped one', gzipSync(urlset(...written))],
  ['a gzipped list', gzipSync(two.join('\n'))],
  [
    'an RSS feed',
    `<rss xmlns:atom="a"><channel><link>https://example.com/</link><atom:link rel="self" href="https://example.com/feed"/>${written
      .map((link) => `<item><title>x</title><link>${link}</link><atom:link href="x"/></item>`)
      .join('')}</channel></rss>`,
  ],
  [
    'an Atom feed',
    `<feed><link href="https://example.com/"/>${written
      .map((link) => `<entry><link rel="edit" href="x"/><link href="${link}"/><id>x</id></entry>`)
      .join('')}</feed>`,
  ],
])('%s is read', async (_title, body) => {
  expect(await pagesOf(body)).toEqual(two)
})

test('an index names sitemaps and no pages', async () => {
  const index = `<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap></sitemapindex>`
  expect(await read(index)).toMatchObject({ pages: [], sitemaps: ['/1.xml', '/2.xml.gz'] })
})

test.each([
  ['nothing', ''],
  ['blanks', ' '.repeat(1_000_000)],
  ['an HTML page', '<!doctype html><html><a href="/x">https://example.com/x</a></html>'],
  ['JSON', '{"url":"https://example.com/"}'],
  ['bytes', Buffer.from([0, 255, 254, 1, 60, 0])],
  ['a broken gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
])('%s names no pages', async (_title, body) => {
  expect(await pagesOf(body)).toEqual([])
})

test('what was inflated before a gzip stream breaks counts', async () => {
  const whole = gzipSync(
    urlset(...Array.from({ length: 5_000 }, (_, n) => `https://example.com/${n}`)),
  )
  const cut = (await pagesOf(whole.subarray(0, whole.length / 2))).length
  expect(cut).toBeGreaterThan(1_000)
  whole.fill(0, whole.length / 2)
  expect((await pagesOf(whole)).length).toBeGreaterThan(1_000)
})

test('entities that a DOCTYPE declares are not expanded', async () => {
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  )
  const file = '<!ENTITY x SYSTEM "file:///etc/passwd">'
  const doctype = `<!DOCTYPE urlset [<!ENTITY l0 "https://example.com/">${laughs.join('\n')}${file}]>`
  const body = doctype + urlset('&l9;', '&x;', two[0] ?? '')
  expect(await pagesOf(body)).toEqual(['&l9;', '&x;', two[0]])
})

test('the pieces in which a file arrives make no difference', async () => {
  const body = `<!DOCTYPE x [<!ENTITY a "b">]><urlset><!-- - -- --><url><loc><![CDATA[https://e.com/]]]]><![CDATA[>a]]></loc></url><url><loc>https://e.com/?a&amp;b</loc></url></urlset>`
  const expected = ['https://e.com/]]>a', 'https://e.com/?a&b']
  const tokens = (pieces: readonly string[]) => {
    const seen: string[] = []
    const note = (kind: string) => (part: string) => {
      const last = seen.at(-1)
      if (kind.length === 1 && last?.startsWith(kind)) seen[seen.length - 1] = last + part
      else seen.push(kind + part)
    }
    const handler = {
      open: note('open'),
      close: note('close'),
      text: note('t'),
      literal: note('l'),
    }
    const scan = createXmlScanner(handler)
    for (const piece of pieces) scan(piece)
    return seen
  }
  const whole = tokens([body])
  expect(await pagesOf(body)).toEqual(expected)
  fc.assert(
    fc.property(fc.array(fc.nat(body.length)), (places) => {
      const cuts = [0, ...places.sort((one, other) => one - other), body.length]
      expect(tokens(cuts.slice(1).map((end, index) => body.slice(cuts[index], end)))).toEqual(whole)
    }),
  )
})

test.each([
  ['of nothing', Buffer.alloc(10_000_000)],
  ['of blanks', ' '.repeat(10_000_000)],
  ['of one address', `<urlset><url><loc>${'a'.repeat(10_000_000)}`],
  ['of one tag', `<urlset><url><loc ${'a="b" '.repeat(1_600_000)}`],
  ['of openings', '<'.repeat(10_000_000)],
  ['of comments', '<!--'.repeat(2_500_000)],
  ['of sections', '<![CDATA['.repeat(1_100_000)],
  ['of one line', `https://example.com/${'a'.repeat(10_000_000)}`],
])('10 MB %s end without a page, and soon', async (_title, body) => {
  expect(await pagesOf(body)).toEqual([])
})

test('a gzip bomb is inflated up to the limit, and no further', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, ' '))
  expect((await read(bomb, { bytesMax: 5_000_000 })).bytes).toBe(5_000_000)
})

test('reading ends when the visitor has enough', async () => {
  const many = urlset(...Array.from({ length: 50_000 }, (_, n) => `https://example.com/${n}`))
  const { pages } = await read(many, { pagesMax: 10 })
  expect(pages.length).toBeLessThan(2_000)
})
