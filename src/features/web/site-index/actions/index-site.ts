import { type Action, defineJob, type JobContext, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { microsToCents, microsToUsd } from '#core/money.ts'
import { budgetPrice } from '#core/pricing/budget.ts'
import type { SiteReader } from '#core/rooms/site-reader.ts'
import { type IndexRows, newIndexId } from '../index-rows.ts'
import { createPageKeeper } from '../keep-page.ts'
import type { PageStore } from '../page-store.ts'
import { indexId } from './fields.ts'

const pages = { max: 1_000, usual: 100 } as const
const globsMax = 100
/** Held for the map, and for each page unless the caller says otherwise: most cost a tenth of it. */
const mapCents = 1
const centsPerPage = 1
const budget = { min: 10, max: 2_000 } as const
/** Long enough for a thousand pages of one host, two at a time. */
const timeoutMs = 60 * 60_000
/** The job then answers with what has been read. */
const readingTimeoutMs = timeoutMs - 120_000
const failuresShown = 50

const globs = z.array(z.string()).max(globsMax).optional()
const inputSchema = z.strictObject({
  url: z.string().describe('Where the site begins; always the first page.'),
  index_id: indexId
    .optional()
    .describe(
      'An index of yours to add the site to. Absent: the one that has this site already, or a new one.',
    ),
  max_pages: z.int().min(1).max(pages.max).default(pages.usual),
  include: globs.describe('Globs: only pages that fit one of them.'),
  exclude: globs.describe('Globs: no pages that fit one of them.'),
  budget_cents: z
    .int()
    .min(budget.min)
    .max(budget.max)
    .optional()
    .describe(
      'Held until the job ends. Default 1 per page and 1 for the map, at least 10, or max_cost_cents if that is less.',
    ),
})
type Input = z.output<typeof inputSchema>

const outputSchema = z.object({
  index_id: z.uuid(),
  site: z.string(),
  added: z.int(),
  updated: z.int(),
  unchanged: z.int().describe('Pages with the same title and content as before.'),
  removed: z.int().describe('Pages that the site does not have any more.'),
  unread: z
    .array(z.object({ url: z.string(), error: z.string() }))
    .describe('The first 50 pages that are not in the index, and why.'),
  unread_count: z.int(),
  spent_cents: z.int().describe('The charge, rounded up to whole cents.'),
  spent_usd: z.string().describe('The exact charge.'),
  budget_cents: z.int(),
  next: z.string(),
})

interface Dependencies {
  readonly reader: SiteReader
  readonly rows: IndexRows
  readonly store: PageStore
  readonly quotaCharacters: number
}

export function createIndexSite(dependencies: Dependencies): Action {
  return defineJob('index-site', {
    summary: 'Read a site into an index of yours, which search-index searches.',
    notes:
      'A job: answers with a job_id, to be polled with result. The pages come from the sitemaps and links of the site, as far as its robots.txt allows. Each costs what the rung that read it costs: 0.1 cents for a page without scripts, 1 to 4 cents for the others, and 1 cent for the map. Indexing again updates the index: pages that have not changed keep their passages, and pages that are gone are removed. Searching is free. For pages that you want to read yourself use onescrape-deep.',
    synonyms: [
      'index site',
      'crawl and index',
      'search my docs',
      'index documentation',
      'knowledge base',
      'site search',
    ],
    questions: [
      'make the documentation of our product searchable',
      'index this website so that I can search it',
      'update my index of this site',
    ],
    errors: ['bad_url', 'all_blocked', 'index_quota_exceeded'],
    input: inputSchema,
    output: outputSchema,
    check: (input) => void dependencies.reader.check(input),
    async admits({ index_id }, caller) {
      if (index_id !== undefined) await dependencies.rows.find(ownerOf(caller), index_id)
    },
    price: budgetPrice<Input>({
      leastCents: budget.min,
      atMostCents: budget.max,
      statedCents: ({ budget_cents }) => budget_cents,
      usualCents: ({ max_pages }) => mapCents + max_pages * centsPerPage,
    }),
    example: { input: { url: 'https://example.com', max_pages: 20 }, cents: 21 },
    takes: { URL: { place: 5, fills: (url) => ({ url }) } },
    jobsAtOnceMax: 2,
    makes: ['site_index', 'indexed_page'],
    timeoutMs,
    run: (context) => indexSite(context, dependencies),
  })
}

/** How long a job waits before it looks again whether the one that makes its index has ended. */
const otherJobDelayMs = 3_000

const openedSchema = z.object({ indexId: z.string() })

/** The index, the same for every worker that takes the job up. */
async function openIndex(context: JobContext<Input>, seed: string, { rows }: Dependencies) {
  const { input, caller, clock, checkpoints, save } = context
  const saved = openedSchema.safeParse(checkpoints.get('index')).data
  const owner = ownerOf(caller)
  if (input.index_id !== undefined) return await rows.find(owner, input.index_id)
  const found = saved === undefined ? await rows.findBySite(owner, seed) : undefined
  const id = saved?.indexId ?? found?.id ?? newIndexId(clock)
  const index = await rows.create(caller, { id, site: seed }, context.effect)
  if (saved === undefined)
    await save('index', { indexId: index.id } satisfies z.output<typeof openedSchema>)
  return index
}

async function indexSite(context: JobContext<Input>, dependencies: Dependencies) {
  const { input, caller } = context
  const { reader, rows, store } = dependencies
  const seed = reader.check(input)
  const index = await openIndex(context, seed, dependencies)
  const { transactionId: callId } = context
  if (await rows.isBeingMade(index.id, callId)) context.later(otherJobDelayMs)
  const known = await store.pagesOf(index.id, seed)
  const keep = createPageKeeper({
    store,
    index,
    site: seed,
    known,
    by: { callId, effect: context.effect },
    roomCharacters: dependencies.quotaCharacters - (await rows.charactersOf(caller.accountId)),
  })
  const { include, exclude, max_pages: maxPages } = input
  const order = {
    seed,
    maxPages,
    include,
    exclude,
    readingTimeoutMs,
    knownUrls: known.map(({ url }) => url),
    budgetCents: context.maxCents,
  }
  const { pages: done, micros } = await reader.read(context, order, keep)
  const count = (outcome: string) => done.filter((page) => page.outcome === outcome).length
  const counts = {
    added: count('added'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    removed: count('removed'),
  }
  const unread = done
    .filter(({ outcome }) => !(outcome in counts))
    .map(({ url, outcome }) => ({ url, error: outcome }))
  const kept = counts.added + counts.updated + counts.unchanged
  const data = { unread: unread.slice(0, failuresShown), unread_count: unread.length }
  if (kept === 0) {
    await rows.removeEmpty(index.id)
    throw fail('all_blocked', {
      message: 'No page of the site could be indexed, and nothing was charged. unread tells why.',
      data,
    })
  }
  return {
    index_id: index.id,
    site: seed,
    ...counts,
    ...data,
    spent_cents: microsToCents(micros, 'up'),
    spent_usd: microsToUsd(micros),
    budget_cents: context.maxCents,
    next: nextStep(index.id, unread),
  }
}

function nextStep(id: string, unread: readonly { readonly error: string }[]): string {
  const search = `Search it with search-index and index_id ${id}.`
  const has = (code: string) => unread.some(({ error }) => error === code)
  if (has('over budget'))
    return `${search} Pages with the error "over budget" were not read: index the site again with a larger budget_cents.`
  if (has('quota'))
    return `${search} Pages with the error "quota" had no room: delete an index with delete-index, or ask the operator for more.`
  return search
}
