import { type Action, defineJob, type JobContext, z } from '#core/action.ts'
import { whileWatchingStop } from '#core/calls/watch-stop.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToCents, microsToUsd, sumOf } from '#core/money.ts'
import { budgetPrice } from '#core/pricing/budget.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { countPages, readUrls } from '../actions/intake.ts'
import { mapCents } from '../actions/map.ts'
import { checkContentOptions, sharedOptions } from '../actions/options.ts'
import { createContentRoom, type PageRow, readingSchema, toReading } from '../actions/rows.ts'
import { visitOptions } from '../actions/visit-options.ts'
import type { Ladder } from '../ladder/ladder.ts'
import { createUrlFilter } from '../sites/glob.ts'
import type { SiteMapper } from '../sites/map.ts'
import type { Politeness } from '../sites/politeness.ts'
import type { RobotsCache } from '../sites/robots-cache.ts'
import { createBudget } from './budget.ts'
import { chargeRows, type PricedRow } from './charges.ts'
import { readDeepRow, rowName, rowTimeoutMsMax, savedRow } from './deep-row.ts'
import { inTurns } from './in-turns.ts'
import { mapForJob } from './job-map.ts'

const urlsMax = 50
const jobsAtOnceMax = 3
export const rowsAtOnce = 8
const budgetCentsPerUrl = 10
const budgetCents = { min: 10, max: 500 } as const
/** Long enough for a map and then fifty slow pages, eight at a time. */
const timeoutMs = 15 * 60_000
/** Fifty pages of one silent host would take longer. The job then returns what has been read. */
const readingTimeoutMs = timeoutMs - 30_000

export const deepInput = z
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
    ...sharedOptions,
    ...visitOptions(rowTimeoutMsMax),
    budgetCents: z
      .int()
      .min(budgetCents.min)
      .max(budgetCents.max)
      .optional()
      .describe(
        'Held until the job ends. Default 10 per page, and 1 for the map of a site, or max_cost_cents if that is less.',
      ),
  })
  .refine(({ urls, site }) => (urls === undefined) !== (site === undefined), {
    message: 'Send exactly one of urls and site',
  })

export type DeepInput = z.output<typeof deepInput>

const outputSchema = readingSchema.extend({
  site: z
    .object({
      url: z.string(),
      mapped_pages: z.int().describe('Pages that the map found. As many as max_pages were chosen.'),
    })
    .optional(),
  blocked_count: z.int().describe('Pages that were tried and not read.'),
  skipped_count: z.int().describe('Pages that the budget did not reach.'),
  spent_cents: z.int().describe('The charge, rounded up to whole cents.'),
  spent_usd: z.string().describe('The exact charge.'),
  budget_cents: z.int(),
})

export interface DeepParts {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  readonly mapper: SiteMapper
  readonly politeness: Politeness
  readonly robots: RobotsCache
}

export function createOnescrapeDeep(parts: DeepParts): Action {
  const { guard } = parts
  return defineJob('onescrape-deep', {
    summary: 'Read up to fifty pages, or a whole site, by every rung of the ladder.',
    notes:
      'A job: answers with a job_id, to be polled with result. Each page climbs the full ladder and costs what the rung that read it costs: 0.1 cents for a page without scripts (at least 1 cent for all such pages of the job together), 1 to 4 cents for the others. Blocked pages are free, and so is a job that reads none. For up to five easy pages onescrape answers at once.',
    synonyms: ['crawl', 'crawl site', 'deep scrape', 'scrape website', 'bulk read', 'blocked page'],
    questions: [
      'read every page of this website',
      'scrape 40 URLs, some of them behind a wall',
      'get the pages that the normal scraper could not read',
    ],
    errors: ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked'],
    input: deepInput,
    output: outputSchema,
    check(input) {
      const { urls, site } = input
      checkContentOptions(input, urlsMax)
      readUrls(urls ?? [site?.url ?? ''], guard)
      createUrlFilter(site ?? {})
    },
    price: budgetPrice<DeepInput>({
      leastCents: budgetCents.min,
      atMostCents: budgetCents.max,
      statedCents: (input) => input.budgetCents,
      usualCents,
    }),
    example: { input: { urls: ['https://example.com'] }, cents: 10 },
    jobsAtOnceMax,
    timeoutMs,
    run: (context) => whileWatchingStop(context, (stopped) => readDeeply(context, parts, stopped)),
  })
}

const usualCents = ({ urls, site }: DeepInput): number =>
  urls === undefined
    ? (site?.max_pages ?? 0) * budgetCentsPerUrl + mapCents
    : countPages(urls) * budgetCentsPerUrl

async function readDeeply(context: JobContext<DeepInput>, parts: DeepParts, stopped: AbortSignal) {
  const { input, report, record } = context
  const deadline = AbortSignal.any([context.signal, AbortSignal.timeout(readingTimeoutMs)])
  const budget = createBudget(context.maxCents)
  const { urls, site } = await choosePages(context, parts, stopped)
  const mapping = site?.mapping ?? []
  for (const hop of mapping) {
    budget.spend(hop.charged_cents)
    record(hop)
  }

  // Pages that the answer has no room for are neither kept nor charged.
  const makeRoom = createContentRoom()
  const toFitting = ({ row, price }: PricedRow): PricedRow => {
    const fitting = makeRoom(row)
    return { row: fitting, price: fitting.content === null ? null : price }
  }
  const rows = urls.map((url) => {
    const saved = savedRow(context, url)
    return saved && toFitting(saved)
  })
  for (const saved of rows) {
    if (saved === undefined) continue
    if (saved.price !== null) budget.spend(saved.price)
    // The trail of a job begins anew with each worker that takes the job up.
    for (const hop of saved.row.hops) record(hop)
  }
  const progress = () =>
    report({ phase: 'reading', done: rows.filter(Boolean).length, total: urls.length })
  await progress()

  const waiting = inTurns(urls).values()
  const readers = Array.from({ length: Math.min(rowsAtOnce, urls.length) }, async () => {
    for (const { index, url } of waiting) {
      if (rows[index] !== undefined) continue
      const row = toFitting(await readDeepRow(url, context, parts, { budget, deadline, stopped }))
      await context.save(rowName(url), row)
      rows[index] = row
      await progress()
    }
  })
  await Promise.all(readers)

  const { minimum, ...charged } = chargeRows(rows.filter((row) => row !== undefined))
  if (minimum !== undefined) record(minimum)
  const spent = charged.micros + sumOf(mapping.map((hop) => centsToMicros(hop.charged_cents)))
  const reading = toReading(charged.rows, input.format)
  const skipped = charged.rows.filter(({ error }) => error === 'over budget').length
  const data = {
    ...(site === undefined ? {} : { site: { url: site.url, mapped_pages: site.found } }),
    ...reading,
    calls: [
      ...mapping.map((hop) => ({ url: site?.url ?? '', ...hop })),
      ...reading.calls,
      ...(minimum === undefined ? [] : [{ url: '', ...minimum }]),
    ],
    blocked_count: charged.rows.filter(isBlocked).length,
    skipped_count: skipped,
    budget_cents: context.maxCents,
    ...(skipped === 0 ? {} : { next: overBudget }),
  }
  if (data.read_count > 0) return { ...data, ...spentFields(spent) }
  throw fail('all_blocked', {
    message: 'No page could be read, and nothing was charged. The rows tell what was tried.',
    data: { ...data, ...spentFields(0) },
  })
}

const overBudget =
  'Rows with the error "over budget" were not read. Submit their URLs again with a larger budgetCents.'
/** Rows without content whose site was asked for the page. */
const isBlocked = ({ content, error = '' }: PageRow) => content === null && !unasked.has(error)
const unasked: ReadonlySet<string> = new Set(['over budget', 'too large', 'robots', 'cancelled'])

const spentFields = (spent: Micros) => ({
  spent_cents: microsToCents(spent, 'up'),
  spent_usd: microsToUsd(spent),
})

/** The pages to read. */
async function choosePages(
  context: JobContext<DeepInput>,
  { guard, mapper }: DeepParts,
  stopped: AbortSignal,
) {
  const { urls, site } = context.input
  if (site === undefined) return { urls: readUrls(urls ?? [], guard) }
  const [seed = ''] = readUrls([site.url], guard)
  const { include, exclude, max_pages: maxPages } = site
  const map = await mapForJob(context, mapper, { seed, maxPages, include, exclude }, stopped)
  return { urls: [...map.urls], site: { url: seed, found: map.found, mapping: map.mapping } }
}
