import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createPageRoom } from '../pages/page-room.ts'
import { candidatesMax } from './candidates.ts'
import {
  addressesMax,
  createSiteMapper,
  foreignSitemapsMax,
  hopPagesMax,
  type SiteMapRequest,
  sitemapFilesMax,
  sitemapNestingMax,
} from './map.ts'
import { createPoliteness } from './politeness.ts'
import { createRobotsCache } from './robots-cache.ts'
import {
  expectedPaths,
  file,
  html,
  page,
  redirect,
  type Site,
  serveLargeSite,
  serveSite,
  sitemapIndex,
  urlset,
} from './site.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function open(site: Promise<Site>): Promise<Site> {
  const opened = await site
  closers.push(opened.close)
  return opened
}

/** A bare site that never asks anybody to wait. */
async function openEmpty(): Promise<Site> {
  const site = await open(serveSite())
  site.answers.set('/robots.txt', file('User-agent: *\nCrawl-delay: 0'))
  return site
}

function mapperOf(
  site: Site,
  options: { clock?: Clock; timeoutMs?: number; deadlineMs?: number } = {},
) {
  const { clock = systemClock, timeoutMs = 8_000 } = options
  const guard = createEgressGuard({ allow: [site.host], lookup: async () => ['127.0.0.1'] })
  const fetcher = createEgressFetcher({ guard })
  closers.push(() => fetcher.close())
  const userAgent = 'Tollway/test'
  const robots = createRobotsCache({ fetcher, clock, log, userAgent })
  const politeness = createPoliteness({ clock })
  const room = createPageRoom()
  const parts = { fetcher, robots, politeness, room, log, userAgent, timeoutMs }
  return createSiteMapper({ ...options, ...parts })
}

function mapOf(
  site: Site,
  { path = '/', ...request }: Partial<SiteMapRequest> & { path?: string } = {},
  options: Parameters<typeof mapperOf>[1] = {},
) {
  const { signal } = new AbortController()
  const seed = site.url(path)
  return mapperOf(site, options).mapSite({
    seed,
    maxPages: 50,
    signal,
    owner: 'a caller',
    ...request,
  })
}

const pathsOf = ({ urls }: { urls: readonly string[] }) =>
  urls.map((url) => url.replace(/^https?:\/\/[^/]+/, ''))

test('the map of a site full of traps holds exactly its pages, in their order', async () => {
  const site = await open(serveLargeSite())
  const map = await mapOf(site, { maxPages: 1_000 }, { timeoutMs: 2_000 })
  expect(pathsOf(map)).toEqual(expectedPaths)
  expect(map.found).toBe(expectedPaths.length)
  expect(new Set(site.hits).size).toBe(site.hits.length)
  expect(site.hits).not.toContain('GET /private/')
  expect(map.sources.map(({ url, kind, status }) => `${kind} ${url} ${status}`)).toEqual(
    expect.arrayContaining([
      `page ${site.url('/')} read`,
      `sitemap ${site.url('/packed.xml')} read`,
      `sitemap ${site.url('/sitemap.xml')} missing`,
      `page ${site.url('/gone')} missing`,
      `page ${site.url('/slow')} failed`,
    ]),
  )
})

test('a map ends at the number of pages asked for, and follows no more links', async () => {
  const site = await open(serveLargeSite())
  const map = await mapOf(site)
  expect(map.urls).toHaveLength(50)
  expect(map.urls[0]).toBe(site.url('/'))
  expect(pathsOf(map).slice(1, 11)).toEqual(expectedPaths.slice(1, 11))
  expect(map.found).toBeGreaterThan(100)
  expect(site.hits.filter((hit) => /^GET \/s\d/.test(hit))).toEqual([])
  expect((await mapOf(site)).urls).toEqual(map.urls)
})

test('globs choose the pages, and the seed is exempt', async () => {
  const site = await open(serveLargeSite())
  const globs = { include: ['/s1*'], exclude: ['*/p1*', 'S1/P2'] }
  const map = await mapOf(site, { ...globs, path: '/s2' })
  expect(pathsOf(map)).toEqual(['/s2', ...[0, 3, 4, 5, 6, 7, 8, 9].map((n) => `/s1/p${n}`)])
})

test('patterns beyond the limits and addresses that are none are refused before anybody is asked', async () => {
  const site = await openEmpty()
  await expect(mapOf(site, { include: [''] })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(mapOf(site, { seed: 'ftp://x.example/' })).rejects.toMatchObject({ code: 'bad_url' })
  expect(await mapOf(site, { maxPages: 1 })).toEqual({
    urls: [site.url('/')],
    found: 1,
    sources: [],
  })
  expect(site.hits).toEqual([])
})

test('the host that the seed redirects to is the site as well, and www makes no difference', async () => {
  const site = await openEmpty()
  const { answers, url } = site
  answers.set('/start', redirect(url('/home', 'www.other.example')))
  answers.set(
    '/home',
    html(
      '/a',
      url('/b'),
      url('/c', 'www.site.example'),
      url('/b', 'other.example'),
      url('/d', 'third.example'),
    ),
  )
  answers.set(
    '/sitemap.xml',
    file(urlset([url('/home', 'other.example'), url('/e', 'other.example')])),
  )
  for (const path of ['/a', '/b', '/c', '/d', '/e']) answers.set(path, html())
  const { urls } = await mapOf(site, { path: '/start' })
  expect(urls).toEqual([
    url('/start'),
    url('/a', 'www.other.example'),
    url('/b'),
    url('/c', 'www.site.example'),
    url('/b', 'other.example'),
    url('/e', 'other.example'),
  ])
})

test('a seed that only sends its readers on is read where it sends them', async () => {
  const site = await openEmpty()
  site.answers.set('/', page('<meta http-equiv="refresh" content="0;url=/real/">'))
  site.answers.set('/real/', html('a', 'b'))
  for (const path of ['/real/a', '/real/b']) site.answers.set(path, html())
  expect(pathsOf(await mapOf(site))).toEqual(['/', '/real/', '/real/a', '/real/b'])
})

test('of a site that robots.txt closes only the seed is left, and nothing of it was read', async () => {
  const site = await open(serveSite())
  site.answers.set('/robots.txt', file('User-agent: Tollway\nDisallow: /'))
  site.answers.set('/', html('/a'))
  const map = await mapOf(site)
  expect(map.urls).toEqual([site.url('/')])
  expect(map.sources).toEqual([{ url: site.url('/'), kind: 'page', status: 'refused' }])
  expect(site.hits).toEqual(['GET /robots.txt'])
})

test('a site that is not there has a map of its seed, from no source', async () => {
  const site = await openEmpty()
  const map = await mapOf(site, { seed: 'http://site.example:1/' })
  expect(map).toMatchObject({ urls: ['http://site.example:1/'], found: 1 })
  expect(map.sources.filter(({ status }) => status === 'read')).toEqual([])
})

test('a site in trouble is left alone', async () => {
  const site = await open(serveSite())
  site.answers.set('/robots.txt', (response) => void response.writeHead(503).end())
  expect((await mapOf(site)).sources).toMatchObject([{ status: 'refused' }])
  expect(site.hits).toEqual(['GET /robots.txt'])
})

test('requests keep the pause that robots.txt asks for', async () => {
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    async sleep(delayMs) {
      nowMs += delayMs
    },
  }
  const site = await open(serveSite())
  const times: number[] = []
  const note = (answer: typeof site.answers extends Map<string, infer A> ? A : never) => {
    const noted: typeof answer = (response, incoming) => {
      times.push(nowMs)
      answer(response, incoming)
    }
    return noted
  }
  site.answers.set('/robots.txt', file('User-agent: *\nCrawl-delay: 3'))
  site.answers.set('/', note(html('/a', '/b', '/c')))
  for (const path of ['/sitemap.xml', '/sitemap_index.xml']) site.answers.set(path, note(file('')))
  for (const path of ['/a', '/b', '/c']) site.answers.set(path, note(html()))
  await mapOf(site, {}, { clock })
  expect(times).toHaveLength(6)
  times.sort((one, other) => one - other)
  expect(times.at(-1)).toBeGreaterThanOrEqual(15_000)
})

test('when its time is over the map is what was found until then', async () => {
  const site = await openEmpty()
  site.answers.set('/', html('/a', '/private'))
  site.answers.set('/sitemap.xml', () => {})
  const map = await mapOf(site, {}, { deadlineMs: 2_000, timeoutMs: 60_000 })
  expect(pathsOf(map)).toEqual(['/', '/a', '/private'])
})

test('when the caller is gone the map ends with its reason', async () => {
  const site = await openEmpty()
  const controller = new AbortController()
  site.answers.set('/', () => controller.abort(new Error('the caller left')))
  const map = mapOf(site, { signal: controller.signal }, { timeoutMs: 60_000 })
  await expect(map).rejects.toThrow('the caller left')
})

/** Sitemaps that are made to cost their reader. Each site has one page besides its seed, and that is found. */
const hostile: Record<string, (site: Site) => void> = {
  'indexes that name each other': ({ answers, url }) => {
    answers.set(
      '/sitemap.xml',
      file(sitemapIndex([url('/sitemap.xml'), url('/sitemap_index.xml')])),
    )
    answers.set('/sitemap_index.xml', file(sitemapIndex([url('/sitemap.xml')])))
  },
  'indexes without end': ({ answers, url }) => {
    const next = (from: number) =>
      file(
        sitemapIndex(Array.from({ length: 100 }, (_, n) => url(`/sitemap${from * 100 + n}.xml`))),
      )
    answers.set('/sitemap.xml', next(1))
    for (let n = 100; n < 200; n += 1) answers.set(`/sitemap${n}.xml`, next(n))
  },
  'sitemaps on the hosts of others': ({ answers, url }) => {
    const others = Array.from({ length: 40 }, (_, n) => url('/victim.xml', `${n}.victim.example`))
    answers.set('/sitemap.xml', file(sitemapIndex(others)))
  },
  'a billion laughs': ({ answers }) => {
    const laughs = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    )
    const doctype = `<!DOCTYPE urlset [<!ENTITY l0 "lol">${laughs.join('')}]>`
    answers.set('/sitemap.xml', file(`${doctype}<urlset><url><loc>&l9;</loc></url></urlset>`))
  },
  '10 MB of nothing': ({ answers }) => {
    answers.set('/sitemap.xml', file(' '.repeat(10_000_000)))
  },
  'a file without end': ({ answers }) => {
    answers.set('/sitemap.xml', (response) => {
      const pump = () => {
        while (response.write('<url><loc>nowhere'.repeat(1_000)) && !response.destroyed);
      }
      response.on('drain', pump)
      pump()
    })
  },
  'a gzip bomb': ({ answers }) => {
    answers.set('/sitemap.xml', file(gzipSync(Buffer.alloc(150_000_000))))
  },
  'a gzip bomb by name of its encoding': ({ answers }) => {
    const bomb = gzipSync(Buffer.alloc(150_000_000))
    answers.set('/sitemap.xml', (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
  },
  'the address of a private server': ({ answers }) => {
    answers.set('/sitemap.xml', redirect('http://127.0.0.1:1/'))
    answers.set(
      '/sitemap_index.xml',
      file(sitemapIndex(['http://10.0.0.1/', 'file:///etc/passwd'])),
    )
  },
}

test.each(Object.entries(hostile))('%s end within the limits', async (_title, arrange) => {
  const site = await openEmpty()
  site.answers.set('/', html('/a'))
  site.answers.set('/a', html())
  arrange(site)
  const map = await mapOf(site)
  expect(pathsOf(map)).toEqual(['/', '/a'])
  const sitemaps = map.sources.filter(({ kind }) => kind === 'sitemap')
  expect(sitemaps.length).toBeLessThanOrEqual(sitemapFilesMax)
  expect(site.hits.filter((hit) => hit.includes('victim')).length).toBeLessThanOrEqual(
    foreignSitemapsMax,
  )
})

test('indexes are followed to a depth, and no further', async () => {
  const site = await openEmpty()
  const { answers, url } = site
  const names = (depth: number) =>
    file(sitemapIndex([`${depth}.xml`, `${depth}-pages.xml`].map((name) => url(`/${name}`))))
  answers.set('/sitemap.xml', names(1))
  for (let depth = 1; depth <= sitemapNestingMax + 1; depth += 1) {
    answers.set(`/${depth}.xml`, names(depth + 1))
    answers.set(`/${depth}-pages.xml`, file(urlset([url(`/${depth}`)])))
    answers.set(`/${depth}`, html())
  }
  const expected = Array.from({ length: sitemapNestingMax }, (_, n) => `/${n + 1}`)
  expect(pathsOf(await mapOf(site))).toEqual(['/', ...expected])
})

test('after so many addresses, wanted or not, the sitemaps have been looked at enough', async () => {
  const site = await openEmpty()
  const elsewhere = Array.from({ length: addressesMax + 5_000 }, () => 'http://x/')
  site.answers.set(
    '/sitemap.xml',
    file(`${urlset([site.url('/a'), ...elsewhere, site.url('/b')])}`),
  )
  for (const path of ['/a', '/b']) site.answers.set(path, html())
  expect(pathsOf(await mapOf(site))).toEqual(['/', '/a'])
})

test('a site of more pages than are looked at still ends, and shallow pages are first', async () => {
  const site = await openEmpty()
  const many = Array.from({ length: candidatesMax + 5_000 }, (_, n) => site.url(`/deep/${n}`))
  site.answers.set('/', html('/a'))
  site.answers.set('/sitemap.xml', file(urlset(many)))
  const map = await mapOf(site)
  expect(map.found).toBe(candidatesMax + 1)
  expect(pathsOf(map).slice(0, 4)).toEqual(['/', '/a', '/deep/0', '/deep/1'])
})

test('only so many pages are fetched for their links', async () => {
  const site = await openEmpty()
  site.answers.set('/', html(...Array.from({ length: 60 }, (_, n) => `/${n}`)))
  const map = await mapOf(site, { maxPages: 1_000 })
  expect(map.sources.filter(({ kind }) => kind === 'page')).toHaveLength(1 + hopPagesMax)
  expect(map.found).toBe(1 + 60 - hopPagesMax)
})
