import { expect, test } from 'vitest'
import { createUrlWords } from './url-words.ts'

const site = 'https://shop.example'

test.each([
  ['pricing', '/pricing', true],
  ['Price', '/our-prices/2026', true],
  ['pricing', '/about', false],
  ['cafe', '/caf%C3%A9/menu', true],
  ['Café', '/cafe', true],
  ['価格', '/%E4%BE%A1%E6%A0%BC', true],
  ['plans pricing', '/plans', true],
  ['https', '/about', false],
  ['100%', '/100%', true],
  ['', '/about', true],
  ['  ', '/about', true],
])('whether "%s" is in %s: %s', (search, path, isThere) => {
  expect(createUrlWords(search).fits(site + path)).toBe(isThere)
})

test('addresses with the most words come first, equal ones in their order', () => {
  const urls = ['/pricing', '/about', '/docs/pricing', '/api', '/docs/pricing/api'].map(
    (path) => site + path,
  )
  const { rank } = createUrlWords('pricing API docs')
  expect(rank(urls).map((url) => url.slice(site.length))).toEqual([
    '/docs/pricing/api',
    '/docs/pricing',
    '/pricing',
    '/api',
    '/about',
  ])
})
