import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUrlFilter, patternCharactersMax, patternsMax } from './glob.ts'

const page = 'https://example.com/Blog/2024/a-post?page=2'
const wanted = (pattern: string, url = page) => createUrlFilter({ include: [pattern] })(url)
const refused = expect.objectContaining({ name: 'CallError', code: 'bad_request' })

test.each([
  'blog',
  'BLOG/2024',
  '?page=2',
  '*',
  '**',
  'https://example.com/*',
  'https://*/blog/*',
  '*page=2',
  '*/2024/*',
  'https://example.com/blog/2024/a-post?page=*2',
  '/blog/*',
  'example.com/*/a-post*',
  ' /blog/* ',
])('%s matches', (pattern) => {
  expect(wanted(pattern)).toBe(true)
})

test.each([
  'blogs',
  '/2024/*',
  'http://example.com/*',
  '*/blog',
  '*2024*2024*',
  'https://example.com/blog/2024/a-post?page=2*2',
  'xample.com/*',
  '[a-z]*',
  'a.post',
])('%s does not', (pattern) => {
  expect(wanted(pattern)).toBe(false)
})

test('letters outside of ASCII are compared as URLs have them', () => {
  expect(wanted('/straße/*', new URL('https://example.com/straße/1').href)).toBe(true)
  expect(wanted('\ud800', page)).toBe(false)
})

test.each([
  'https://Bücher.example/*',
  'bücher.example/Straße*',
  'bücher',
  'xn--bcher-kva',
  '*/straße',
])('a host of other letters is matched as it is written: %s', (pattern) => {
  expect(wanted(pattern, new URL('https://bücher.example/straße').href)).toBe(true)
  expect(wanted(pattern, 'https://example.com/')).toBe(false)
})

test('exclude wins over include, and no pattern at all wants everything', () => {
  expect(createUrlFilter({ include: ['blog'], exclude: ['*page=*'] })(page)).toBe(false)
  expect(createUrlFilter({ include: ['blog'], exclude: ['/about'] })(page)).toBe(true)
  expect(createUrlFilter({ exclude: ['/about'] })(page)).toBe(true)
  expect(createUrlFilter({})(page)).toBe(true)
})

test.each([
  [{ include: Array(patternsMax + 1).fill('a') }],
  [{ exclude: ['a'.repeat(patternCharactersMax + 1)] }],
  [{ include: [''] }],
  [{ exclude: ['  '] }],
])('patterns beyond the limits are refused: case %#', (globs) => {
  expect(() => createUrlFilter(globs)).toThrow(refused)
})

/** The definition: a star is any text, tried in every length. */
function naive(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*'))
    return Array.from({ length: text.length + 1 }, (_, skip) => text.slice(skip)).some((rest) =>
      naive(pattern.slice(1), rest),
    )
  return text.startsWith(pattern[0] ?? '') && naive(pattern.slice(1), text.slice(1))
}

const letters = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength })

test('a pattern matches exactly what trying every length of every star matches', () => {
  fc.assert(
    fc.property(letters('ab*/', 8), letters('ab/', 10), (pattern, tail) => {
      fc.pre(pattern.trim() !== '')
      const url = `x://h/${tail}`
      const starts = [url, `h/${tail}`, `/${tail}`]
      const expected = pattern.includes('*')
        ? starts.some((text) => naive(pattern, text))
        : url.includes(pattern)
      expect(wanted(pattern, url)).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('what was cut out of a URL and replaced by a star still matches it', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.nat(), fc.nat(), (address, one, other) => {
      const url = new URL(address).href
      fc.pre(url.length < patternCharactersMax && !url.includes('*'))
      const [from = 0, to = 0] = [one, other].map((n) => n % (url.length + 1)).sort((a, b) => a - b)
      expect(wanted(`${url.slice(0, from)}*${url.slice(to)}`, url)).toBe(true)
    }),
  )
})

test('the pattern that hurts the most is matched in no time', () => {
  const filter = createUrlFilter({ include: Array(patternsMax).fill('*a'.repeat(249)) })
  const url = `https://example.com/${'a'.repeat(2_000)}b`
  for (let round = 0; round < 100; round += 1) expect(filter(url)).toBe(false)
})
