// Reads a site for an index: page by page, each handed over as soon as it is read, so that a job of many pages keeps no
// content.
import { z } from '#core/action.ts'
import { whileWatchingStop } from '#core/calls/watch-stop.ts'
import { centsToMicros, sumOf } from '#core/money.ts'
import type { SitePage, SiteReader } from '#core/rooms/site-reader.ts'
import { normalizeUrl, readUrls } from '../actions/intake.ts'
import { hopSchema, type PageRow, unstartedRow } from '../actions/rows.ts'
import { createUrlFilter } from '../sites/glob.ts'
import { createBudget } from './budget.ts'
import { chargeRows } from './charges.ts'
import { readDeepRow, rowName } from './deep-row.ts'
import { inTurns } from './in-turns.ts'
import { mapForJob } from './job-map.ts'
import { type DeepParts, deepInput, rowsAtOnce } from './onescrape-deep.ts'

/** A page as the job remembers it. */
const readPageSchema = z.object({
  outcome: z.string(),
  price: z.union([z.number(), z.literal('batch')]).nullable(),
  hops: z.array(hopSchema),
})
type ReadPage = z.output<typeof readPageSchema>

export function createSiteReader(parts: DeepParts): SiteReader {
  return {
    check({ url, ...globs }) {
      createUrlFilter(globs)
      return readUrls([url], parts.guard)[0] ?? url
    },
    read: (context, order, keep) =>
      whileWatchingStop(context, (stopped) => readSite(parts, stopped, context, order, keep)),
  }
}

async function readSite(
  parts: DeepParts,
  stopped: AbortSignal,
  ...[context, order, keep]: Parameters<SiteReader['read']>
): ReturnType<SiteReader['read']> {
  const { checkpoints, record, report, save } = context
  const deadline = AbortSignal.any([context.signal, AbortSignal.timeout(order.readingTimeoutMs)])
  const { urls: mapped, mapping } = await mapForJob(context, parts.mapper, order, stopped)
  const urls = [...new Set([...mapped, ...order.knownUrls])].slice(0, order.maxPages)
  const budget = createBudget(order.budgetCents)
  for (const hop of mapping) {
    budget.spend(hop.charged_cents)
    record(hop)
  }
  const pages = urls.map((url) => readPageSchema.safeParse(checkpoints.get(rowName(url))).data)
  for (const page of pages) {
    if (page === undefined) continue
    if (page.price !== null) budget.spend(page.price)
    for (const hop of page.hops) record(hop)
  }
  const progress = () =>
    report({ phase: 'indexing', done: pages.filter(Boolean).length, total: urls.length })
  await progress()

  const input = deepInput.parse({ site: { url: order.seed }, format: 'html' })
  const readOne = async (url: string): Promise<ReadPage> => {
    const { row, price } = await readDeepRow(url, { ...context, input }, parts, {
      budget,
      deadline,
      stopped,
    })
    const { outcome, isPaid } = await keep(toSitePage(url, row))
    return { outcome, price: isPaid ? price : null, hops: row.hops }
  }
  const waiting = inTurns(urls).values()
  const readers = Array.from({ length: Math.min(rowsAtOnce, urls.length) }, async () => {
    for (const { index, url } of waiting) {
      if (pages[index] !== undefined) continue
      const page = await readOne(url)
      await save(rowName(url), page)
      pages[index] = page
      await progress()
    }
  })
  await Promise.all(readers)

  const done = pages.map((page, index) => ({
    url: urls[index] ?? '',
    outcome: page?.outcome ?? '',
    price: page?.price ?? null,
  }))
  const { micros, minimum } = chargeRows(
    done.map(({ url, price }) => ({ row: unstartedRow(url, 'html'), price })),
  )
  if (minimum !== undefined) record(minimum)
  const mapMicros = sumOf(mapping.map((hop) => centsToMicros(hop.charged_cents)))
  return { pages: done, micros: micros + mapMicros }
}

function toSitePage(url: string, row: PageRow): SitePage {
  return {
    // A page that moved is known by the address that it moved to.
    url: row.final_url === null ? url : normalizeUrl(row.final_url),
    title: row.title,
    content: row.content,
    format: row.format,
    statusCode: row.status_code,
    error: row.error,
  }
}
