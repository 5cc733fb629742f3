import { expect, test } from 'vitest'
import {
  calendarPagesMax,
  candidatesMax,
  createCandidates,
  pathDepthMax,
  queryVariantsMax,
  segmentRepeatsMax,
  siteOf,
  urlCharactersMax,
} from './candidates.ts'

const site = 'https://example.com'

function collect(seed: string, addresses: readonly string[], origin: 'link' | 'sitemap' = 'link') {
  const candidates = createCandidates({ seed, sites: new Set([siteOf(seed)]), wants: () => true })
  for (const address of addresses) candidates.add(address, origin)
  return candidates.ordered()
}

const found = (...paths: string[]) =>
  collect(
    `${site}/`,
    paths.map((path) => `${site}${path}`),
  )
const count = (length: number, path: (n: number) => string) =>
  Array.from({ length }, (_, n) => path(n))

test('shallow pages come first, and pages as deep in the order of their finding', () => {
  expect(found('/c/d/e', '/b?q', '/c/d', '/z', '/a', '/z/', '/c/d/f')).toEqual(
    ['/z', '/a', '/z/', '/b?q', '/c/d', '/c/d/e', '/c/d/f'].map((path) => `${site}${path}`),
  )
})

test('a page counts once, by http or https, with or without www, with any fragment', () => {
  const seed = 'https://www.example.com/start'
  const addresses = [
    'http://example.com/a#x',
    'https://example.com/a',
    'https://WWW.example.com:443/a',
    'http://example.com/start#top',
  ]
  expect(collect(seed, addresses)).toEqual(['http://example.com/a'])
})

test.each([
  'https://other.example/',
  'https://sub.example.com/',
  'https://example.com:8443/',
  'https://example.com.other.example/',
  'https://facebook.com/example.com',
  'ftp://example.com/',
  'mailto:a@example.com',
  'not an address',
  `${site}/report.pdf`,
  `${site}/picture.JPG`,
  `${site}/feed.xml`,
  `${site}/${'a'.repeat(urlCharactersMax)}`,
  `${site}/${'ä'.repeat(urlCharactersMax / 4)}`,
  `${site}${'/a/b'.repeat(segmentRepeatsMax + 1)}`,
  `${site}${count(pathDepthMax + 1, (n) => `/${n}`).join('')}`,
])('%s is not a page of the site', (address) => {
  expect(collect(`${site}/`, [address])).toEqual([])
})

test.each(['/a/b/a/b', '/2024/05/a-post', '/v1.2', '/wiki/File:A.pdf', '/a%20b', '/x?f=a.pdf'])(
  '%s is',
  (path) => {
    expect(found(path)).toHaveLength(1)
  },
)

test('of one path only so many queries are followed, unless a sitemap vouches for them', () => {
  const variants = count(50, (n) => `${site}/list?sort=${n}`)
  expect(collect(`${site}/`, variants)).toHaveLength(queryVariantsMax)
  expect(collect(`${site}/`, variants, 'sitemap')).toHaveLength(50)
})

test.each([
  (n: number) => `/calendar/${2_000 + n}/05`,
  (n: number) => `/events/${2_000 + n}-05-12/`,
  (n: number) => `/calendar?month=${n}`,
  (n: number) => `/events?view=list&from=2024-05-${n}`,
])('of a calendar only so many pages are taken: case %#', (path) => {
  expect(found(...count(50, path))).toHaveLength(calendarPagesMax)
})

test('posts with a date in their path are not a calendar', () => {
  expect(found(...count(50, (n) => `/2024/05/${n}-post`))).toHaveLength(50)
})

test('pages in the language of the seed come before those of others', () => {
  const paths = ['/fr/a', '/de/b/c', '/x/y', '/de/b', '/pt-br/z', '/us/a'].map((p) => `${site}${p}`)
  expect(collect(`${site}/de/`, paths).map((url) => url.slice(site.length))).toEqual([
    '/x/y',
    '/de/b',
    '/us/a',
    '/de/b/c',
    '/fr/a',
    '/pt-br/z',
  ])
})

test('what was dropped does not come back, and what moved is the same page or another', () => {
  const candidates = createCandidates({
    seed: `${site}/`,
    sites: new Set(['example.com']),
    wants: (url) => !url.includes('unwanted'),
  })
  for (const path of ['/a', '/b', '/c', '/d', '/unwanted'])
    candidates.add(`http://example.com${path}`, 'link')
  candidates.drop(`${site}/a`)
  expect(candidates.add(`${site}/a`, 'link')).toBe(false)
  expect(candidates.move('http://example.com/b', `${site}/b`)).toBe(true)
  expect(candidates.move('http://example.com/c', `${site}/elsewhere`)).toBe(true)
  expect(candidates.move('http://example.com/d', 'https://other.example/')).toBe(false)
  expect(candidates.ordered()).toEqual(['http://example.com/b', `${site}/elsewhere`])
})

test('there is an end to it', () => {
  const candidates = createCandidates({
    seed: `${site}/`,
    sites: new Set(['example.com']),
    wants: () => true,
  })
  for (let n = 0; n < candidatesMax + 10; n += 1) candidates.add(`${site}/${n}`, 'sitemap')
  expect(candidates).toMatchObject({ size: candidatesMax, full: true })
})
