// The map of a site as a job remembers it: a site is mapped once, even if several workers take the job up.
import { type Hop, type JobContext, z } from '#core/action.ts'
import type { SiteWish } from '#core/rooms/site-reader.ts'
import { mapCents } from '../actions/map.ts'
import { hopSchema } from '../actions/rows.ts'
import { hasAnswered, type SiteMapper } from '../sites/map.ts'

export interface JobMap {
  readonly urls: readonly string[]
  /** Pages that the map found, chosen or not. */
  readonly found: number
  /** The call of the map. None if no request was needed. */
  readonly mapping: readonly Hop[]
}

const jobMapSchema = z.object({
  urls: z.array(z.string()),
  found: z.int(),
  mapping: z.array(hopSchema),
})

export async function mapForJob(
  {
    caller,
    checkpoints,
    clock,
    save,
    report,
    signal,
  }: Pick<JobContext<unknown>, 'caller' | 'checkpoints' | 'clock' | 'save' | 'report' | 'signal'>,
  mapper: SiteMapper,
  wish: SiteWish,
  /** Aborted: the job has delivered nothing yet, and ends. */
  stopped: AbortSignal,
): Promise<JobMap> {
  const saved = jobMapSchema.safeParse(checkpoints.get('map')).data
  if (saved !== undefined) return saved
  await report({ phase: 'mapping', done: 0, total: 1 })
  const startedAt = clock.now()
  const owner = caller.accountId
  const map = await mapper.mapSite({
    ...wish,
    signal: AbortSignal.any([signal, stopped]),
    owner,
    isPatient: true,
  })
  const ok = hasAnswered(map)
  const hop = {
    provider: 'ladder',
    action: 'map',
    ok,
    charged_cents: ok ? mapCents : 0,
    latency_ms: Math.round(clock.now() - startedAt),
  }
  const mapping = map.sources.length > 0 ? [hop] : []
  const made = { urls: [...map.urls], found: map.found, mapping }
  await save('map', made)
  return made
}
