import { expect, test } from 'vitest'
import { noMetadata, readMetadata } from './metadata.ts'
import { seePage } from './see-page.ts'

const url = 'https://mill.example/news/wheel'
const metadata = (html: string) => readMetadata(seePage(html), url)

test('meta elements and OpenGraph say what a page is', () => {
  const head = `<html lang="pt-BR"><head>
    <meta name="Description" content="The wheel &amp; the dam">
    <meta name=author content="Ada  Miller">
    <meta property="article:published_time" content="2026-03-01T08:00:00+0100">
    <meta property="article:modified_time" content="2026-03-02">
    <meta property="og:site_name" content="Mill News"><meta property="og:image" content="/wheel.jpg">
    <link rel="shortlink canonical" href="/wheel">`
  expect(metadata(head)).toEqual({
    description: 'The wheel & the dam',
    author: 'Ada Miller',
    publishedAt: '2026-03-01T08:00:00+01:00',
    modifiedAt: '2026-03-02',
    language: 'pt-BR',
    siteName: 'Mill News',
    canonicalUrl: 'https://mill.example/wheel',
    imageUrl: 'https://mill.example/wheel.jpg',
  })
})

test('JSON-LD says it, in a graph, with several authors', () => {
  const graph = {
    '@graph': [
      { '@type': 'WebSite', name: 'Mill News' },
      { '@type': 'WebPage', datePublished: '2020-01-01', description: 'Of the page' },
      {
        '@type': ['NewsArticle'],
        author: [{ name: 'Ada Miller' }, 'Ben Baker'],
        datePublished: 'Sun, 01 Mar 2026 08:00:00 GMT',
        image: [{ url: 'https://mill.example/a.jpg' }],
      },
    ],
  }
  const html = `<script type="application/ld+json">{broken</script>
    <script type="application/ld+json">${JSON.stringify(graph)}</script>`
  expect(metadata(html)).toEqual({
    ...noMetadata,
    description: 'Of the page',
    author: 'Ada Miller, Ben Baker',
    publishedAt: '2026-03-01T08:00:00.000Z',
    siteName: 'Mill News',
    imageUrl: 'https://mill.example/a.jpg',
  })
})

test('the page itself says it, where its head does not', () => {
  const html =
    '<p>By <a rel="author" href="/ada">Ada <b>Miller</b></a>, <time datetime="2026-03-01 08:00">yesterday</time></p>'
  expect(metadata(html)).toMatchObject({ author: 'Ada Miller', publishedAt: '2026-03-01T08:00' })
  const many = '<time datetime="2026-03-01">a</time><time datetime="2026-04-01">b</time>'
  expect(metadata(many)).toEqual(noMetadata)
})

test.each([
  '<link rel=canonical href="javascript:alert(1)"><meta property="og:image" content="data:,x">',
  '<meta name=date content="soon"><meta name=date content="13/45/2026">',
  '<meta name=date content="March 1, 2026 08:00"><html lang="x y">',
  '<meta name=description content=" "><meta name=author>',
])('%s says nothing', (html) => {
  expect(metadata(html)).toEqual(noMetadata)
})
