import { type Action, defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createUrlFilter, patternCharactersMax, patternsMax } from '../sites/glob.ts'
import { hasAnswered, type SiteMap, type SiteMapper } from '../sites/map.ts'
import { searchCharactersMax } from '../sites/url-words.ts'
import { readUrls } from './intake.ts'

/** The same wherever a site is mapped. Source: spec, "the site is mapped (1¢ map call)". */
export const mapCents = 1
const limit = { min: 2, max: 1_000, usual: 200 } as const

const patterns = z.array(z.string().min(1).max(patternCharactersMax)).max(patternsMax).optional()

const inputSchema = z.strictObject({
  url: z.string().describe('Where to begin; the first address of the answer.'),
  limit: z
    .int()
    .min(limit.min)
    .max(limit.max)
    .default(limit.usual)
    .describe('The most addresses to answer with.'),
  include: patterns.describe('Globs: only pages that fit one of them.'),
  exclude: patterns.describe('Globs: no pages that fit one of them.'),
  search: z
    .string()
    .max(searchCharactersMax)
    .optional()
    .describe(
      'Words: only pages whose address contains one of them, those with the most words first.',
    ),
})

const outputSchema = z.object({
  url: z.string().describe('The address where it began, as normalised from the input.'),
  urls: z
    .array(z.string())
    .describe('The address where it began, then shallow pages before deep ones.'),
  url_count: z.int(),
  found_count: z.int().describe('Pages that were found, also those beyond the limit.'),
  sources: z
    .array(
      z.object({
        url: z.string(),
        kind: z.enum(['sitemap', 'page']),
        status: z
          .enum(['read', 'missing', 'refused', 'failed'])
          .describe('refused: robots.txt forbids it. failed: it did not answer in time.'),
      }),
    )
    .describe('The files that were asked for, in that order.'),
})

export function createMap(dependencies: {
  readonly mapper: SiteMapper
  readonly guard: EgressGuard
  readonly clock: Clock
}): Action {
  const { mapper, guard, clock } = dependencies
  const seedOf = (url: string) => readUrls([url], guard)[0] ?? url
  return defineAction('map', {
    summary: 'List the addresses of the pages of a site, without reading the pages.',
    notes:
      'Addresses come from robots.txt, sitemaps and the links of some pages; those that robots.txt closes are left out, and so are other hosts and files. With include or search, only links of fitting pages are followed. The call takes up to 45 seconds and answers with what was found by then. To read the pages, send their addresses to onescrape, or the whole site to onescrape-deep.',
    synonyms: ['sitemap', 'site map', 'list urls', 'all pages', 'crawl links', 'url discovery'],
    questions: [
      'which pages does this website have?',
      'where is the pricing page of this site?',
      'list the addresses of all blog posts of a site',
      'how many pages are under /docs?',
    ],
    errors: ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked'],
    input: inputSchema,
    output: outputSchema,
    check(input) {
      seedOf(input.url)
      createUrlFilter(input)
    },
    price: { cents: mapCents },
    example: { input: { url: 'https://example.com' }, cents: mapCents },
    takes: { URL: { place: 4, fills: (url) => ({ url }) } },
    async run({ input, caller, signal, record }) {
      const { limit: maxPages, url, ...wishes } = input
      const seed = seedOf(url)
      const startedAt = clock.now()
      const owner = caller.accountId
      const site = await mapper.mapSite({ ...wishes, seed, maxPages, signal, owner })
      const ok = hasAnswered(site)
      const latency_ms = Math.round(clock.now() - startedAt)
      record({ provider: 'ladder', action: 'map', ok, charged_cents: 0, latency_ms })
      if (!ok) throw fail('all_blocked', { message: describeSilence(seed, site) })
      const { urls, found, sources } = site
      return { url: seed, urls, url_count: urls.length, found_count: found, sources }
    },
  })
}

function describeSilence(seed: string, { sources }: SiteMap): string {
  const isClosed = sources.length > 0 && sources.every(({ status }) => status === 'refused')
  return isClosed
    ? `The robots.txt of ${seed} does not allow its pages to be listed. Nothing was charged.`
    : `Nothing of ${seed} could be read. Check the address, or try again later. Nothing was charged.`
}
