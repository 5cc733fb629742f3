// The check by the running gateway: it stores what it finds, and knows the APIs that it sells and the keys that were
// pasted.
import { setTimeout as delay } from 'node:timers/promises'
import { type Routes, TollwayError } from '@tollway/client'
import { type Surroundings, UsageError } from '@tollway/command'
import { asOptions } from '../../sell/as-options.ts'
import { type OperatorGateway, openOperatorGateway } from '../../sell/operator-gateway.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { diagnosisOf, type PlannedCheck } from './planned.ts'

const pollMs = 500

/** Undefined where no gateway of this folder runs. */
export async function planAtGateway(
  { provider: wanted }: { readonly provider?: string | undefined },
  surroundings: Surroundings,
): Promise<readonly PlannedCheck[] | undefined> {
  const gateway = await openOperatorGateway(surroundings).catch(absent(UsageError))
  const list = await gateway?.operator
    .request('GET /api/v1/admin/canaries')
    .catch(absent(TollwayError))
  if (gateway === undefined || list === undefined) return undefined
  surroundings.output.note(`By the gateway at ${gateway.address}.`)
  const found = list.canaries.filter(({ provider }) => (wanted ?? provider) === provider)
  if (found.length === 0)
    throw new UsageError(`The gateway has no provider ${wanted} that is configured and asked.`)
  return found.map(({ provider, mode, action, reason, cents_at_most: cents, ...canary }) => ({
    provider,
    mode,
    call: action,
    cents,
    // A gateway of an earlier version does not say it.
    ...(canary.is_cost_known === false && { isCostUnknown: true as const }),
    ...(reason !== null && { reason }),
    ...(action !== null && {
      ask: () => askThrough(gateway, provider, cents, surroundings.signal),
    }),
  }))
}

/** Another gateway, one of an earlier version, or none. */
const absent =
  (kind: typeof UsageError | typeof TollwayError) =>
  (thrown: unknown): undefined => {
    if (!(thrown instanceof kind)) throw thrown
  }

type Check = Routes['POST /api/v1/admin/canaries/{provider}/checks']['answer']

async function askThrough(
  { address, operator }: OperatorGateway,
  provider: string,
  cents: number,
  signal: AbortSignal,
): Promise<Diagnosis> {
  let check: Check = await operator.request('POST /api/v1/admin/canaries/{provider}/checks', {
    path: { provider },
    body: { max_cents: cents },
  })
  while (check.state === 'running') {
    await delay(pollMs, undefined, { signal })
    const { checks } = await operator.request('GET /api/v1/admin/canaries/{provider}/checks', {
      path: { provider },
    })
    check = checks.find(({ check_id: id }) => id === check.check_id) ?? check
  }
  const { action, says, fix, took_ms: tookMs } = check
  const isWell = check.state === 'well'
  return {
    subject: action,
    state: diagnosisOf[check.state],
    says: isWell ? `${says} It took ${tookMs} ms.` : (says ?? ''),
    ...(!isWell && {
      fix: `${asOptions(fix ?? '')} See ${address}/console/operator/canaries/${provider}.`,
    }),
  }
}
