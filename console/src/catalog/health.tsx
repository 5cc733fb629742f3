// How well actions have done in the last day.
import { showDuration } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { Tag } from '../parts/notices.tsx'

export type ActionHealth = AnswerOf<'GET /api/v1/health'>['actions'][number]

/** By the name of the action. */
export async function readHealth(signal: AbortSignal): Promise<ReadonlyMap<string, ActionHealth>> {
  const { actions } = await tollway.request('GET /api/v1/health', { signal })
  return new Map(actions.map((each) => [each.action, each]))
}

const kinds = { healthy: 'good', degraded: 'warning', failing: 'bad' } as const

/** Nothing where too few calls say anything, and for actions that cannot run: the mode says so already. */
export function HealthTag({ status }: Pick<ActionHealth, 'status'>) {
  if (status === 'unknown' || status === 'unavailable') return null
  return <Tag kind={kinds[status]}>{status}</Tag>
}

/** The health of one action, and how long its calls take. */
export function Health({ name }: { name: string }) {
  const health = useLoad('health', readHealth)
  const found = health.value?.get(name)
  if (found === undefined) return null
  return (
    <>
      <HealthTag status={found.status} />
      {found.p50_ms !== null && (
        <span class="quiet">usually takes {showDuration(found.p50_ms)}</span>
      )}
    </>
  )
}
