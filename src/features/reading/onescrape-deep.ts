import { type Action, defineJob, type JobContext, z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import { type EgressGuard, EgressRefusal } from '#platform/egress/guard.ts'
import { type Budget, createBudget } from './budget.ts'
import { readUrls } from './intake.ts'
import type { Ladder } from './ladder/ladder.ts'
import {
  createContentRoom,
  hopSchema,
  type PageRow,
  readingSchema,
  rowSchema,
  toReading,
  toRow,
  unstartedRow,
} from './rows.ts'
import { createUrlFilter } from './sites/glob.ts'
import type { SiteMapper } from './sites/map.ts'
import type { Politeness } from './sites/politeness.ts'
import type { RobotsCache } from './sites/robots-cache.ts'

const urlsMax = 50
const jobsAtOnceMax = 3
const rowsAtOnce = 8
const rowTimeoutMs = 90_000
const mapCents = 1
const budgetCentsPerUrl = 10
const budgetCents = { min: 10, max: 500 } as const
/** Fifty pages at eight at a time, each as slow as it may be, and the map before them. */
const timeoutMs = 15 * 60_000
/** Pages of one silent host, two at a time, may take longer than that. What was read by then is the job's result. */
const readingTimeoutMs = timeoutMs - 30_000

const inputSchema = z
  .strictObject({
    urls: z.array(z.string()).min(1).max(urlsMax).optional().describe('Pages to read.'),
    site: z
      .strictObject({
        url: z.string().describe('Where to begin; always the first page.'),
        max_pages: z.int().min(1).max(urlsMax).default(20),
        include: z.array(z.string()).optional().describe('Globs: only pages that fit one of them.'),
        exclude: z.array(z.string()).optional().describe('Globs: no pages that fit one of them.'),
      })
      .optional()
      .describe('A site to map and read, instead of urls.'),
    format: z.enum(['markdown', 'html']).default('markdown'),
    main_content: z.boolean().default(true).describe('Leave out navigation and furniture.'),
    budgetCents: z
      .int()
      .min(budgetCents.min)
      .max(budgetCents.max)
      .optional()
      .describe('Held until the job ends. Default 10 per page, and 1 for the map of a site.'),
  })
  .refine(({ urls, site }) => (urls === undefined) !== (site === undefined), {
    message: 'Send exactly one of urls and site',
  })

/** The map of a site as a job remembers it; without a call where no request was needed. */
const chosenSchema = z.object({ urls: z.array(z.string()), mapping: z.array(hopSchema) })

type DeepInput = z.output<typeof inputSchema>

const outputSchema = readingSchema.extend({
  site: z.object({ url: z.string(), mapped_pages: z.int() }).optional(),
  blocked_count: z.int(),
  skipped_count: z.int().describe('Pages that the budget did not reach.'),
  spent_cents: z.int(),
  budget_cents: z.int(),
})

interface Parts {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  readonly mapper: SiteMapper
  readonly politeness: Politeness
  readonly robots: RobotsCache
}

export function createOnescrapeDeep(parts: Parts): Action {
  const { guard } = parts
  return defineJob('onescrape-deep', {
    summary: 'Read up to fifty pages, or a whole site, with every means there is.',
    notes:
      'A job: answers with a job_id, to be polled with result. Each page climbs the full ladder and costs 1 to 4 cents, by the rung that read it; blocked pages are free, and so is a job that reads none. For up to five easy pages onescrape answers at once.',
    synonyms: ['crawl', 'crawl site', 'deep scrape', 'scrape website', 'bulk read', 'blocked page'],
    questions: [
      'read every page of this website',
      'scrape 40 URLs, some of them behind a wall',
      'get the pages that the normal scraper could not read',
    ],
    input: inputSchema,
    output: outputSchema,
    check({ urls, site }) {
      readUrls(urls ?? [site?.url ?? ''], guard)
      createUrlFilter(site ?? {})
    },
    price: {
      upToCents: budgetOf,
      atMostCents: budgetCents.max,
      settle: ({ output }) => output.spent_cents,
    },
    example: { input: { urls: ['https://example.com'] }, cents: 10 },
    jobsAtOnceMax,
    timeoutMs,
    run: (context) => readDeeply(context, parts),
  })
}

function budgetOf(input: DeepInput): number {
  const { urls, site } = input
  const standard =
    urls === undefined
      ? (site?.max_pages ?? 0) * budgetCentsPerUrl + mapCents
      : urls.length * budgetCentsPerUrl
  return input.budgetCents ?? Math.min(budgetCents.max, standard)
}

async function readDeeply(context: JobContext<DeepInput>, parts: Parts) {
  const { input, report, record } = context
  const deadline = AbortSignal.any([context.signal, AbortSignal.timeout(readingTimeoutMs)])
  const budget = createBudget(budgetOf(input))
  const { urls, site } = await choosePages(context, parts)
  const mapping = site?.mapping ?? []
  for (const hop of mapping) {
    budget.spend(hop.charged_cents)
    record(hop)
  }

  // Pages that the answer has no room for are neither kept nor charged.
  const keep = createContentRoom()
  let returnedCents = 0
  const rows = urls.map((url) => {
    const saved = savedRow(context, url)
    return saved && keep(saved)
  })
  for (const row of rows) {
    if (row === undefined) continue
    budget.spend(row.charged_cents)
    // Its trail begins anew with each worker that takes the job up.
    for (const hop of row.hops) record(hop)
  }
  const progress = () =>
    report({ phase: 'reading', done: rows.filter(Boolean).length, total: urls.length })
  await progress()

  const waiting = inTurns(urls).values()
  const readers = Array.from({ length: Math.min(rowsAtOnce, urls.length) }, async () => {
    for (const { index, url } of waiting) {
      if (rows[index] !== undefined) continue
      const read = await readRow(url, context, parts, { budget, deadline })
      const row = keep(read)
      returnedCents += read.charged_cents - row.charged_cents
      await context.save(rowName(url), row)
      rows[index] = row
      await progress()
    }
  })
  await Promise.all(readers)

  const read = rows.filter((row) => row !== undefined)
  const reading = toReading(read, input.format)
  const data = {
    ...(site === undefined ? {} : { site: { url: site.url, mapped_pages: urls.length } }),
    ...reading,
    calls: [...mapping.map((hop) => ({ url: site?.url ?? '', ...hop })), ...reading.calls],
    blocked_count: read.filter(({ error }) => error === 'blocked').length,
    skipped_count: read.filter(({ error }) => error === 'over budget').length,
    spent_cents: budget.spentCents() - returnedCents,
    budget_cents: budgetOf(input),
  }
  if (data.read_count === 0) {
    const message = 'No page could be read, and nothing was charged. The rows tell what was tried.'
    throw fail('all_blocked', { message, data: { ...data, spent_cents: 0 } })
  }
  return data
}

/** One page of each host, then the next of each: a slow host with many pages would keep all readers from the others. */
function inTurns(urls: readonly string[]) {
  const counts = new Map<string, number>()
  return urls
    .map((url, index) => {
      const { host } = new URL(url)
      const round = counts.get(host) ?? 0
      counts.set(host, round + 1)
      return { index, url, round }
    })
    .sort((one, other) => one.round - other.round)
}

/** The pages to read. A site is mapped once, however often the job is taken up. */
async function choosePages(
  { input, caller, checkpoints, clock, save, report, signal }: JobContext<DeepInput>,
  { guard, mapper }: Parts,
) {
  const { urls, site } = input
  if (site === undefined) return { urls: readUrls(urls ?? [], guard) }
  const [seed = ''] = readUrls([site.url], guard)
  const saved = chosenSchema.safeParse(checkpoints.get('map')).data
  if (saved !== undefined) return { urls: saved.urls, site: { url: seed, mapping: saved.mapping } }
  await report({ phase: 'mapping', done: 0, total: 1 })
  const { include, exclude, max_pages: maxPages } = site
  const startedAt = clock.now()
  const map = await mapper.mapSite({
    ...{ seed, maxPages, include, exclude, signal },
    owner: caller.accountId,
    isPatient: true,
  })
  const ok = map.sources.some(({ status }) => status === 'read')
  const hop = {
    provider: 'ladder',
    action: 'map',
    ok,
    charged_cents: ok ? mapCents : 0,
    latency_ms: Math.round(clock.now() - startedAt),
  }
  const chosen = { urls: [...map.urls], mapping: map.sources.length > 0 ? [hop] : [] }
  await save('map', chosen)
  return { urls: chosen.urls, site: { url: seed, mapping: chosen.mapping } }
}

const rowName = (url: string) => `row ${url}`

function savedRow({ checkpoints }: JobContext<DeepInput>, url: string): PageRow | undefined {
  return rowSchema.safeParse(checkpoints.get(rowName(url))).data
}

async function readRow(
  url: string,
  { input, signal: jobSignal, caller, call, available, record }: JobContext<DeepInput>,
  { ladder, politeness, robots }: Parts,
  { budget, deadline }: { budget: Budget; deadline: AbortSignal },
): Promise<PageRow> {
  const { format, main_content: mainContent } = input
  // Who reads a site asks it; a page that a caller names is read as a person reads it.
  const rules = input.site && (await robots.rulesFor(url, jobSignal))
  if (rules?.allows(url) === false) return unreadRow(url, format, 'robots')
  const admitRedirect = async (target: string) => {
    if (!(await robots.rulesFor(target, deadline)).allows(target))
      throw new EgressRefusal('robots', `${url} leads to a page that robots.txt closes.`)
  }
  // Its time runs from when its turn has come.
  const climb = async () => {
    const pageBudget = await budget.begin()
    if (pageBudget === undefined) return undefined
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(rowTimeoutMs)])
    const request = {
      format,
      mainContent,
      signal,
      caller,
      call,
      available,
      budget: pageBudget,
      record,
      admitRedirect: rules && admitRedirect,
    }
    try {
      return await ladder.climb(url, request)
    } finally {
      pageBudget.close()
    }
  }
  try {
    const { host } = new URL(url)
    const turn = { host, party: budget, delayMs: rules?.crawlDelayMs, signal: deadline }
    const row = await politeness.run(turn, climb)
    jobSignal.throwIfAborted()
    return row === undefined ? unstartedRow(url, format) : toRow(row, format)
  } catch (thrown) {
    jobSignal.throwIfAborted()
    // A page that is a document, or too slow, does not fail the others.
    const reason =
      thrown instanceof CallError && thrown.code === 'onescrape_document' ? 'document' : 'deadline'
    return unreadRow(url, format, reason)
  }
}

function unreadRow(url: string, format: DeepInput['format'], skipped: string): PageRow {
  const hop = {
    provider: 'ladder',
    action: 'climb',
    ok: false,
    charged_cents: 0,
    latency_ms: 0,
    skipped,
  }
  const error = skipped === 'robots' ? skipped : 'blocked'
  return { ...unstartedRow(url, format), hops: [hop], error }
}
