// A search that takes the vendor minutes. The job launches it, watches it, and charges for delivered results.
import { type JobContext, z } from '#core/action.ts'
import { CallError, errorTable, fail } from '#core/errors.ts'
import { requireIssued } from '../../lib/issued-id.ts'
import {
  control,
  type Kind,
  kinds,
  limitOf,
  neverLaunched,
  poll,
  vendorJobId,
  vendorJobOf,
} from './vendor-job.ts'

/** The longest duration of a search. A search that is paused for longer is cancelled. */
const searchMsMax = 6 * 3_600_000
/** The duration of each try. The hold outlives four tries. */
export const timeoutMs = 2 * 3_600_000

export const delivery = z.looseObject({
  kind: z.enum(['tam', 'lookalikes', 'tech_intent']),
  status: z.string(),
  delivered: z.int().describe('Companies to read with ns_company/results, and to pay for.'),
})

interface Poll {
  readonly status: string
  readonly processed?: number | null
  readonly count?: number | null
  readonly manifest?: { readonly count?: number; readonly unique_count?: number } | null
}

const deliveredBy = ({ manifest, processed, count }: Poll) =>
  manifest?.unique_count ?? manifest?.count ?? processed ?? count ?? 0

/** Polling slows down, because a search takes one minute or many. */
function pauseMs(ageMs: number): number {
  if (ageMs < 10_000) return 1_000
  return ageMs < 60_000 ? 5_000 : 20_000
}

/** Resolves when the vendor is done; before that it ends this try by `later`. */
export async function runDiscovery(
  context: JobContext<unknown>,
  kind: Kind,
  { body, companiesMax }: { body: unknown; companiesMax: number },
): Promise<z.output<typeof delivery>> {
  const { http, clock, save, checkpoints, report, later, issue } = context
  const saved = checkpoints.get('search') as { id: string; at: number } | undefined
  // There are no results to read yet.
  if (saved === undefined) await issue({ kind: limitOf(context.jobId), id: String(companiesMax) })
  const search = saved ?? { id: await launch(context, kind, body), at: clock.now() }
  if (saved === undefined) await save('search', search)
  const ageMs = clock.now() - search.at
  const seen: Poll = await poll(http, kind, search.id).catch((thrown) => {
    if (thrown instanceof CallError && errorTable[thrown.code].retryable && ageMs < searchMsMax) {
      return later(pauseMs(ageMs))
    }
    throw thrown
  })
  const delivered = Math.min(deliveredBy(seen), companiesMax)
  if (seen.status === 'completed' || seen.status === 'cancelled') {
    return { kind, status: seen.status, delivered }
  }
  if (seen.status === 'failed') {
    throw fail('upstream_error', {
      message: 'The search failed at the provider. Nothing was charged.',
    })
  }
  const full = kind === 'tam' && deliveredBy(seen) >= companiesMax
  if (full || ageMs >= searchMsMax) {
    if (kind === 'tam' && !seen.status.startsWith('cancel'))
      await control(http, search.id, 'cancel')
    if (ageMs >= searchMsMax) return { kind, status: seen.status, delivered }
  }
  await report({ phase: seen.status, done: delivered, total: companiesMax })
  return later(pauseMs(ageMs))
}

async function launch({ http, jobId, issue }: JobContext<unknown>, kind: Kind, body: unknown) {
  try {
    const { job_id: id } = await http.post(kinds[kind], body)
    requireIssued(vendorJobId, id)
    await issue({ kind: vendorJobOf(jobId), id })
    return id as string
  } catch (thrown) {
    await issue({ kind: vendorJobOf(jobId), id: neverLaunched })
    throw thrown
  }
}
