// Sessions: resources that stay open between calls and are charged by their use. A session that is in use has one open call
// whose hold is extended while the meter runs. Exactly one gateway owns each resource; the rows outlive it.
import type { Owner } from '#core/caller.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { isMetered } from '#core/price.ts'
import type { SessionCommand, SessionResult } from '#core/session.ts'
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import { withDeadline } from '../execute/deadline.ts'
import { createAwakening } from './awakening.ts'
import { createEndings } from './endings.ts'
import { gone, kindOf, type SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { Tariff } from './metering.ts'
import { isUsedUp, nextOf } from './plan.ts'
import { createSessionMoney } from './session-money.ts'
import type { SessionRow, SessionRows } from './session-rows.ts'
import { createTimer } from './timer.ts'

export interface Sessions {
  /** Holds the reserve of a new session and makes its row, both or neither. The session has the id of its call. */
  submit(entry: CatalogEntry, hold: Hold, ceilingMicros: Micros | undefined): Promise<HoldOutcome>
  /** Opens the resource of a session that was submitted. If that fails, nothing is charged, and it throws the reason. */
  open(entry: CatalogEntry, sessionId: string, input: unknown): Promise<void>
  /** Throws `not_found`, `session_closed`, `session_elsewhere`, and what holds for any call that needs money. */
  run(owner: Owner, sessionId: string, command: SessionCommand): Promise<SessionResult>
  /** Stops the meter, charges the use, releases the rest and removes the resource. Repeating it changes nothing. */
  close(owner: Owner, sessionId: string): Promise<SessionRow>
  find(owner: Owner, sessionId: string): Promise<SessionRow | undefined>
  /** Newest first. Without an account, the sessions of all accounts. */
  list: SessionRows['list']
  /** As `close`, by the operator. Undefined when there is no such session. */
  kill(sessionId: string): Promise<SessionRow | undefined>
  /** One round of what a timer does: meters, extends, ends, and takes over what stopped gateways left. */
  keepUp(): Promise<void>
  /** Sessions whose resources this gateway has. */
  count(): number
  /**
   * Writes the use so far, unless told not to. Another gateway, or this one after its start, continues the sessions or closes
   * them.
   */
  stop(writesUse?: boolean): Promise<void>
}

/** A resource ends a command at its timeout. One that does not answer by then is not waited for. */
const answerMarginMs = 10_000
const perAccountMaxDefault = 10
const perMachineMaxDefault = 100

function tariffOf({ action: { price } }: CatalogEntry): { tariff: Tariff; reserve: Micros } {
  if (!isMetered(price)) throw new TypeError('A session needs a metered price.')
  const meters = Object.entries(price.perHourCents)
  return {
    tariff: Object.fromEntries(meters.map(([meter, cents]) => [meter, centsToMicros(cents)])),
    reserve: centsToMicros(price.reserveCents),
  }
}

export function createSessions(dependencies: SessionDependencies): Sessions {
  const { ledger, rows, machine, clock, log } = dependencies
  const money = createSessionMoney(dependencies)
  const lives = new Map<string, LiveSession>()
  const opening = new Map<string, string>()
  const endings = createEndings(dependencies, money, lives)
  const awaken = createAwakening(dependencies, { money, lives, endings })

  async function lookAt(live: LiveSession): Promise<void> {
    if (!lives.has(live.id)) return
    if (!(await live.resource.alive().catch(() => true))) return await endings.endLive(live, 'lost')
    const standing = await live.standing()
    const next = nextOf(standing, clock.now())
    if (next.kind === 'close') return await endings.endLive(live, next.reason)
    if (next.kind === 'suspend') return await endings.suspend(live)
    if (next.kind === 'renew') {
      await endings.renew(live)
      return await lookAt(live)
    }
    if (next.kind !== 'extend') return
    live.heldMicros = await money.extend(live, next.targetMicros)
    if (isUsedUp(await live.standing())) await endings.endLive(live, 'balance')
  }

  /** Writes the use of all sessions. One that another gateway has closed, or taken over, ends here. */
  async function reportUse(): Promise<void> {
    const all = [...lives.values()]
    const sightings = await Promise.all(
      all.map(async (live) => ({
        id: live.id,
        used: (await live.standing()).used,
        lastUsedAtMs: live.lastUsedAtMs,
      })),
    )
    const owned = await rows.see(sightings, clock.now())
    await Promise.all(
      all.filter(({ id }) => !owned.has(id)).map((live) => live.inTurn(() => endings.drop(live))),
    )
  }

  async function round(): Promise<void> {
    await Promise.all(
      [...lives.values()].map((live) =>
        live
          .inTurn(() => lookAt(live))
          .catch((error) => {
            log.warn({ err: error, sessionId: live.id }, 'A session will be looked at again.')
          }),
      ),
    )
    await reportUse()
    for (const row of await rows.takeOver()) {
      await awaken.takeOver(row).catch((error) => {
        log.warn({ err: error, sessionId: row.id }, 'A session could not be taken over.')
      })
    }
    await endings.removeRest()
  }

  let last: Promise<void> = Promise.resolve()
  const keepUp = () => {
    const result = last.then(round)
    last = result.catch(() => {})
    return result
  }
  const timer = createTimer({ clock, log, lives, keepUp })

  return {
    async submit(entry, hold, ceilingMicros) {
      const { perAccount = perAccountMaxDefault, perMachine = perMachineMaxDefault } =
        entry.action.sessionsAtOnceMax ?? {}
      refuseWhenFull(entry.id, perMachine, [...lives.values()], opening)
      const { accountId, keyId, action, callId: id } = hold
      const { tariff, reserve } = tariffOf(entry)
      opening.set(id, entry.id)
      const outcome = await ledger
        .holdJob(
          { ...hold, lifetimeMs: money.lifetimeMs },
          {
            input: JSON.stringify({ session_id: id }),
            atOnceMax: perAccount,
            enqueue: (client) =>
              rows.insert(
                {
                  ...{ id, accountId, keyId, action, tariff, reserve },
                  machine: kindOf(entry).reach === 'machine' ? machine : null,
                  ceiling: ceilingMicros ?? null,
                  nowMs: clock.now(),
                },
                client,
              ),
          },
        )
        .finally(() => opening.delete(id))
      return outcome
    },
    async open(entry, sessionId, input) {
      opening.set(sessionId, entry.id)
      await awaken.open(entry, sessionId, input).finally(() => opening.delete(sessionId))
      timer.wake()
    },
    async run(owner, sessionId, command) {
      const row = await rows.find(owner, sessionId)
      if (row === undefined) throw notFound()
      const live = lives.get(sessionId) ?? (await awaken.resume(row))
      timer.wake()
      return await runIn(live, command, { clock, lose: () => endings.closeNow(sessionId, 'lost') })
    },
    async close(owner, sessionId) {
      if ((await rows.find(owner, sessionId)) === undefined) throw notFound()
      await endings.closeNow(sessionId, 'closed')
      const closed = await rows.find(owner, sessionId)
      if (closed === undefined) throw notFound()
      return closed
    },
    async kill(sessionId) {
      await endings.closeNow(sessionId, 'operator')
      return await rows.get(sessionId)
    },
    find: rows.find,
    list: rows.list,
    keepUp,
    count: () => lives.size,
    async stop(writesUse = true) {
      timer.stop()
      await last
      if (!writesUse) return
      await reportUse().catch((error) => log.warn({ err: error }, 'The last use was not written.'))
    },
  }
}

const notFound = () =>
  fail('not_found', {
    message: 'There is no such session. Send the session_id as you received it.',
  })

function refuseWhenFull(
  action: string,
  perMachine: number,
  lives: readonly LiveSession[],
  opening: ReadonlyMap<string, string>,
): void {
  const open = lives.filter(({ entry }) => entry.id === action).length
  const soon = [...opening.values()].filter((each) => each === action).length
  if (open + soon < perMachine) return
  throw fail('unavailable', {
    message:
      'This gateway has as many sessions of this kind as it can. Nothing was charged; try again shortly.',
    retryAfterSeconds: 30,
  })
}

async function runIn(
  live: LiveSession,
  command: SessionCommand,
  { clock, lose }: { clock: Clock; lose: () => Promise<void> },
): Promise<SessionResult> {
  live.running += 1
  live.lastUsedAtMs = clock.now()
  try {
    live.ended.signal.throwIfAborted()
    const timeoutMs = command.timeoutMs + answerMarginMs
    return await withDeadline({ timeoutMs, outer: live.ended.signal }, (signal) =>
      live.resource.run(command, signal),
    )
  } catch (thrown) {
    if (live.ended.signal.aborted) throw gone()
    if (thrown instanceof CallError) throw thrown
    if (!(await live.resource.alive().catch(() => true))) {
      await lose()
      throw gone()
    }
    throw thrown
  } finally {
    live.running -= 1
    live.lastUsedAtMs = clock.now()
  }
}
