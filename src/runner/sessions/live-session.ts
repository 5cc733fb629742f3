// A session whose resource this gateway has, in memory.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { SessionKind, SessionResource, Usage } from '#core/session.ts'
import { withDeadline } from '#platform/deadline.ts'
import { addUse, latestUse, useAfter } from './metering.ts'
import type { Background, Standing } from './plan.ts'
import type { SessionRow, Sighting } from './session-rows.ts'

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
  /** It is not suspended before this time. */
  suspendsFromMs: number
  /** Commands that come now wait until it is suspended, and resume it. */
  isSuspending: boolean
  /** Aborts its commands when it ends or is suspended. */
  readonly ended: AbortController
  /** What it has used so far, and how it stands. A resource that does not answer keeps its last figures. */
  readonly standing: () => Promise<Standing>
  /** What its row is told of it. */
  readonly sight: () => Promise<Sighting>
  /** A resource that does not answer counts as alive. */
  readonly isAlive: () => Promise<boolean>
  /** Changes of its state, one after the other. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** One resource that hangs must not keep the others from their ends. */
const answerTimeoutMs = 5_000

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
  const startedAtMs = clock.now()
  const usedNow = createMeter(resource, row.used, clock)
  let last: Promise<unknown> = Promise.resolve()

  const live: LiveSession = {
    id: row.id,
    accountId: row.accountId,
    keyId: row.keyId,
    entry,
    kind,
    resource,
    callId,
    callOpenedAtMs: startedAtMs,
    heldMicros,
    settledMicros: row.settled,
    lastUsedAtMs: startedAtMs,
    running: 0,
    suspendsFromMs: 0,
    isSuspending: false,
    ended: new AbortController(),
    standing: async () => ({
      tariff: row.tariff,
      perSecond: resource.perSecond,
      used: await usedNow(),
      settledMicros: live.settledMicros,
      heldMicros: live.heldMicros,
      reserveMicros: row.reserve,
      ceilingMicros: row.ceiling ?? undefined,
      isPrepaid: row.keyId === null,
      policy: kind.policy,
      openedAtMs: row.createdAt.getTime(),
      callOpenedAtMs: live.callOpenedAtMs,
      lastUsedAtMs: live.lastUsedAtMs,
      suspendsFromMs: live.suspendsFromMs,
      isRunning: live.running > 0,
      background: await backgroundOf(live, clock),
    }),
    sight: async () => ({
      id: row.id,
      used: await usedNow(),
      lastUsedAtMs: live.lastUsedAtMs,
      unsavedSinceMs: resource.unsavedSinceMs?.() ?? null,
    }),
    isAlive: () =>
      withDeadline({ timeoutMs: answerTimeoutMs }, () => resource.alive()).catch(() => true),
    inTurn(work) {
      const result = last.then(work)
      last = result.catch(() => {})
      return result
    },
  }
  return live
}

/**
 * Asked only when nothing else keeps the session awake. A resource that does not answer may be at work, so that it is
 * not suspended.
 */
async function backgroundOf(live: LiveSession, clock: Clock): Promise<Background | undefined> {
  const { background } = live.resource
  const { idle } = live.kind.policy
  if (background === undefined || idle?.waitingMsMax === undefined) return undefined
  if (live.running > 0 || clock.now() < live.lastUsedAtMs + idle.afterMs) return undefined
  const workedAtMs = clock.now()
  return await withDeadline({ timeoutMs: answerTimeoutMs }, background).catch(() => ({
    programs: 1,
    workedAtMs,
  }))
}

/** Use since the session began. It never decreases, also when a resource measures less than before. */
function createMeter(
  { measure, perSecond }: SessionResource,
  usedBefore: Usage,
  clock: Clock,
): () => Promise<Usage> {
  const startedAtMs = clock.now()
  let used = usedBefore
  let measured: { readonly atMs: number; readonly use: Promise<Usage> } | undefined

  /** A vendor is asked once a second, at most. */
  async function measuredUse(ask: () => Promise<Usage>): Promise<Usage> {
    const now = clock.now()
    if (measured === undefined || now >= measured.atMs + 1_000) {
      const use = withDeadline({ timeoutMs: answerTimeoutMs }, ask).catch(() => ({}))
      measured = { atMs: now, use }
    }
    return await measured.use
  }

  return async () => {
    const seconds = Math.max(0, Math.floor((clock.now() - startedAtMs) / 1_000))
    const now =
      measure === undefined
        ? useAfter(usedBefore, perSecond, seconds)
        : addUse(usedBefore, await measuredUse(measure))
    used = latestUse(used, now)
    return used
  }
}
