import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { EgressFetcher, EgressReply, EgressRequest } from '#platform/egress/fetcher.ts'
import { silentLog as log } from '#test/silent-log.ts'
import {
  createMapFetch,
  linkPageBytesMax,
  mapBytesMax,
  mapInflatedBytesMax,
  sitemapBytesMax,
} from './map-fetch.ts'
import { createPoliteness } from './politeness.ts'
import { parseRobots } from './robots.ts'
import { inflatedBytesMax } from './sitemap.ts'

const url = 'https://example.com/a'
const nothing = { page() {}, sitemap() {}, done: () => false }
const { signal } = new AbortController()

function arrange(answer: (request: EgressRequest) => Partial<EgressReply>) {
  const asked: EgressRequest[] = []
  const fetcher: EgressFetcher = {
    async fetch(request) {
      asked.push(request)
      const reply = { url: request.url, status: 200, headers: {}, body: Buffer.alloc(0) }
      return { ...reply, ...answer(request) }
    },
    close: async () => {},
  }
  const rules = parseRobots('User-agent: *\nDisallow: /closed\nCrawl-delay: 0')
  const fetch = createMapFetch({
    fetcher,
    robots: { rulesFor: async () => rules },
    politeness: createPoliteness({ clock: systemClock }),
    log,
    userAgent: 'Tollway/test',
    signal,
  })
  return { asked, fetch }
}

test('of every file the beginning is asked for, under our own name', async () => {
  const { asked, fetch } = arrange(() => ({}))
  await fetch.page(url)
  await fetch.sitemap(url, nothing)
  const common = { url, beyond: 'cut', headers: { 'user-agent': 'Tollway/test' } }
  expect(asked).toMatchObject([
    { ...common, bytesMax: linkPageBytesMax },
    { ...common, bytesMax: sitemapBytesMax },
  ])
})

test('all files of a map together stay within a number of bytes', async () => {
  const { asked, fetch } = arrange(({ bytesMax }) => ({ body: Buffer.alloc(bytesMax) }))
  for (let n = 0; n < 20; n += 1) await fetch.sitemap(url, nothing)
  expect(asked.reduce((sum, { bytesMax }) => sum + bytesMax, 0)).toBe(mapBytesMax)
  expect(await fetch.sitemap(url, nothing)).toMatchObject({ status: 'failed' })
  expect(await fetch.page(url)).toMatchObject({ source: { status: 'failed' } })
})

test('and what they inflate to as well', async () => {
  const bomb = gzipSync(Buffer.alloc(inflatedBytesMax, '\nhttps://example.com/a'))
  const { fetch } = arrange(() => ({ body: bomb }))
  let pages = 0
  for (let n = 0; n < 5; n += 1) await fetch.sitemap(url, { ...nothing, page: () => (pages += 1) })
  expect(pages).toBeGreaterThan(mapInflatedBytesMax / 22 - 10)
  expect(pages).toBeLessThanOrEqual(mapInflatedBytesMax / 22 + 10)
})

test('files that are read at once share what there is, and leave to others what they did not use', async () => {
  const { asked, fetch } = arrange(() => ({ body: Buffer.from('https://example.com/b') }))
  const pages: string[] = []
  const page = (address: string) => void pages.push(address)
  for (let round = 0; round < 3; round += 1)
    await Promise.all([1, 2].map(() => fetch.sitemap(url, { ...nothing, page })))
  expect(pages).toHaveLength(6)
  expect(asked.map(({ bytesMax }) => bytesMax)).toEqual(Array(6).fill(sitemapBytesMax))
})

test.each([
  ['an HTML page', {}, { isPage: true, links: ['https://example.com/b'], source: 'read' }],
  ['a page of another kind', { type: 'text/plain' }, { isPage: true, links: [], source: 'read' }],
  ['a document', { type: 'application/pdf' }, { isPage: false, links: [], source: 'read' }],
  ['one that is gone', { status: 410 }, { isPage: false, links: [], source: 'missing' }],
  ['one behind a wall', { status: 403 }, { isPage: true, links: [], source: 'missing' }],
  ['one that is closed', { path: '/closed' }, { isPage: true, links: [], source: 'refused' }],
])('%s is taken for what it is', async (_title, given, expected) => {
  const { path, type, status } = { path: '/a', type: 'text/html', status: 200, ...given }
  const { fetch } = arrange(() => ({
    status,
    headers: { 'content-type': type },
    body: Buffer.from('<a href="/b">b</a>'),
  }))
  const { isPage, links, source } = await fetch.page(`https://example.com${path}`)
  expect({ isPage, links, source: source.status }).toEqual(expected)
})
