import { expect, test } from 'vitest'
import { readLinks } from './links.ts'

const url = 'https://example.com/a/b?c'
const linksOf = (html: string) => readLinks(html, url).links

test('links are absolute, once each, in the order of the page', () => {
  const html = `<a href="/x">1</a><A HREF='y?z=1&amp;w=2#part'>2</A><map><area href=//other.example/></map>
    <a href="/x#top">3</a><a href="?d">4</a><a>5</a><a name="n">6</a><a href="">7</a>
    <a href="mailto:a@b.c">8</a><a href="javascript:void(0)">9</a><a href="https://[">10</a>
    <!-- <a href="/comment"> --><script>'<a href="/script">'</script>`
  expect(linksOf(html)).toEqual([
    'https://example.com/x',
    'https://example.com/a/y?z=1&w=2',
    'https://other.example/',
    'https://example.com/a/b?d',
    url,
  ])
})

test('the first base counts, and only if it is of the web', () => {
  expect(linksOf('<base href="/base/"><base href="/other/"><a href="x">')).toEqual([
    'https://example.com/base/x',
  ])
  expect(linksOf('<base href="data:,"><a href="x">')).toEqual(['https://example.com/a/x'])
})

test.each([
  ['0; url=/next', 'https://example.com/next'],
  ["5;URL='/next'", 'https://example.com/next'],
  ['0;/next', 'https://example.com/next'],
  ['0, url = next?a&amp;b', 'https://example.com/a/next?a&b'],
  ['30', undefined],
  ['0; url=javascript:x', undefined],
])('a refresh of "%s" leads to %s', (content, target) => {
  const html = `<meta http-equiv=Refresh content="${content}">`
  expect(readLinks(html, url).refresh).toBe(target)
})

test('there are not more links than anyone reads', () => {
  const html = Array.from({ length: 100_000 }, (_, n) => `<a href=/${n}>`).join('')
  expect(linksOf(html)).toHaveLength(5_000)
})
