// Sessions that a stopped gateway has left, or that this one has lost sight of: continued, or ended with the use that
// was written last.
import { splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import type { Arrivals, OpenSession } from './awakening.ts'
import type { Endings } from './endings.ts'
import { contextOf, kindOf, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

/** A resource that cannot be reached, which is not the same as gone, is tried again for as long. */
const adoptWindowMs = 60_000
const discardTimeoutMs = 15_000

/**
 * A wallet comes back with its payment, so its session may be opened again. False for an account, which has lost its
 * answer.
 */
function createReopening(
  { catalog, rows, machine, clock }: Omit<SessionDependencies, 'ledger' | 'runOnce' | 'log'>,
  open: OpenSession,
) {
  return async function reopen(row: SessionRow): Promise<boolean> {
    const entry = catalog.find(...splitId(row.action))
    const isHere = row.machine === null || row.machine === machine
    if (row.keyId !== null || !isHere || entry === undefined) return false
    const input = await rows.inputOf(row)
    if (input === undefined) return false
    await withDeadline({ late: didNotEnd, timeoutMs: discardTimeoutMs }, (signal) =>
      kindOf(entry).discard(contextOf(entry, row, { signal, clock }), undefined),
    )
    await open(entry, row.id, input)
    return true
  }
}

export function createTakeover(
  dependencies: Omit<SessionDependencies, 'ledger' | 'runOnce'>,
  { adopt, open }: Pick<Arrivals, 'adopt'> & { open: OpenSession },
  { money, own, endings }: { money: SessionMoney; own: OwnSessions; endings: Endings },
) {
  const { rows, machine, clock, log } = dependencies
  const { lives, coming } = own
  const reopen = createReopening(dependencies, open)
  const triedSince = new Map<string, number>()

  /** True when it has been adopted; undefined when that may be tried again. */
  async function tryToAdopt(row: SessionRow): Promise<boolean | undefined> {
    if (row.machine !== null && row.machine !== machine) return false
    const sinceMs = triedSince.get(row.id) ?? clock.now()
    triedSince.set(row.id, sinceMs)
    try {
      return (await adopt(row)) !== undefined
    } catch (error) {
      log.warn({ err: error, sessionId: row.id }, 'A session could not be adopted.')
      return clock.now() < sinceMs + adoptWindowMs ? undefined : false
    }
  }

  /** The gateway died between two calls of the session. The first round extends the new one. */
  async function hasCallAgain(row: SessionRow): Promise<boolean> {
    return (await money.holdNext(row, 0))?.outcome.outcome === 'held'
  }

  async function takeOver(row: SessionRow): Promise<void> {
    const { id, state, resource } = row
    if (state === 'closing') return await endings.end(row)
    if (state === 'opening') {
      const failure = fail('upstream_error')
      if (resource === null && (await reopen(row))) return
      if (resource === null) return await endings.closeNow(id, 'gateway', failure)
      await money.settle(row, failure)
      return await rows.lullAgain(id)
    }
    if (row.callId === null && !(await hasCallAgain(row)))
      return await endings.closeNow(id, 'balance')
    const isAdopted = await tryToAdopt(row)
    if (isAdopted === undefined) return
    triedSince.delete(id)
    if (!isAdopted) await endings.closeNow(id, 'gateway')
  }

  return async function takeOverAll(): Promise<void> {
    const astray = await rows.ownedExcept([...lives.keys(), ...coming.keys()])
    const left = await rows.takeOver(clock.now())
    const all = [...astray, ...left].filter(({ id }) => !lives.has(id) && !coming.has(id))
    await Promise.all(
      all.map(async (row) => {
        coming.set(row.id, row.action)
        await takeOver(row)
          .catch((error) => {
            log.warn({ err: error, sessionId: row.id }, 'A session could not be taken over.')
          })
          .finally(() => coming.delete(row.id))
      }),
    )
  }
}
