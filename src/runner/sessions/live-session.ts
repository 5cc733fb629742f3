// A session whose resource this gateway has, in memory.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { SessionKind, SessionResource, Usage } from '#core/session.ts'
import { addUse, useAfter } from './metering.ts'
import type { Standing } from './plan.ts'
import type { SessionRow } from './session-rows.ts'

export interface LiveSession {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  readonly entry: CatalogEntry
  readonly kind: SessionKind<unknown>
  readonly resource: SessionResource
  callId: string
  callOpenedAtMs: number
  heldMicros: Micros
  settledMicros: Micros
  lastUsedAtMs: number
  /** Commands under way. */
  running: number
  /** Aborts its commands when it ends. */
  readonly ended: AbortController
  /** What it has used so far, and how it stands. A resource that does not answer keeps its last figures. */
  readonly standing: () => Promise<Standing>
  /** Changes of its state, one after the other. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export function createLiveSession(
  {
    entry,
    kind,
    resource,
    clock,
  }: {
    entry: CatalogEntry
    kind: SessionKind<unknown>
    resource: SessionResource
    clock: Clock
  },
  row: SessionRow,
  { callId, heldMicros }: { callId: string; heldMicros: Micros },
): LiveSession {
  const meterStartedAtMs = clock.now()
  const usedBefore = row.used
  let used: Usage = usedBefore
  let last: Promise<unknown> = Promise.resolve()

  async function usedNow(): Promise<Usage> {
    if (resource.measure === undefined) {
      const seconds = Math.max(0, Math.floor((clock.now() - meterStartedAtMs) / 1_000))
      used = useAfter(usedBefore, resource.perSecond, seconds)
    } else {
      const measured = await resource.measure().catch(() => undefined)
      if (measured !== undefined) used = addUse(usedBefore, measured)
    }
    return used
  }

  const live: LiveSession = {
    ...{ id: row.id, accountId: row.accountId, keyId: row.keyId, entry, kind, resource },
    callId,
    callOpenedAtMs: meterStartedAtMs,
    heldMicros,
    settledMicros: row.settled,
    lastUsedAtMs: meterStartedAtMs,
    running: 0,
    ended: new AbortController(),
    standing: async () => ({
      tariff: row.tariff,
      perSecond: resource.perSecond,
      used: await usedNow(),
      settledMicros: live.settledMicros,
      heldMicros: live.heldMicros,
      reserveMicros: row.reserve,
      ceilingMicros: row.ceiling ?? undefined,
      policy: kind.policy,
      openedAtMs: row.createdAt.getTime(),
      callOpenedAtMs: live.callOpenedAtMs,
      lastUsedAtMs: live.lastUsedAtMs,
      isRunning: live.running > 0,
    }),
    inTurn(work) {
      const result = last.then(work)
      last = result.catch(() => {})
      return result
    },
  }
  return live
}
