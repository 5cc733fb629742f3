import { expect, test } from 'vitest'
import { addressForLog, normalizeUrl } from './web-address.ts'

test.each([
  ['example.com', 'https://example.com/'],
  [' //example.com/a ', 'https://example.com/a'],
  ['example.com:8443/a@b', 'https://example.com:8443/a@b'],
  ['http://user:secret@example.com.:80/?q=1#top', 'http://example.com/?q=1'],
  ['http://intranet/', 'http://intranet/'],
])('%s means %s', (input, url) => {
  expect(normalizeUrl(input)).toBe(url)
})

test.each(['', 'tea', 'two words', 'localhost:3000', 'ada@example.com', 'ftp://example.com'])(
  '"%s" means no address',
  (input) => {
    expect(() => normalizeUrl(input)).toThrow(expect.objectContaining({ code: 'bad_url' }))
  },
)

test('an address for the log has no query, fragment or credentials', () => {
  expect(addressForLog('https://me:secret@pages.example:8443/a/b?token=secret#secret')).toBe(
    'https://pages.example:8443/a/b',
  )
})
