// Calls on a tab. An account, or a key with limits, that calls one model after the other gets a tab: an amount, held in the database once, out
// of which this gateway reserves the worst case of each call in memory. Calls that ended go to the books in batches, and
// the tab is closed when nobody has used it for a moment. What does not fit is held by itself, as any other call.

import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import type { Hold, Settlement, SettleOutcome } from './group-commit.ts'
import { newTab, type Tab } from './tab.ts'
import type { TabJournal } from './tab-journal.ts'
import { type Ended, endCall, type OpenCall } from './tab-line.ts'
import type { TabRow, TabTurn, TabTurns } from './tab-turns.ts'

export interface Tabs {
  /** Reserves what the call may cost. False: there is no tab, or too little on it. */
  reserve(hold: Hold): boolean
  /** Gives back what was reserved for a call that does not run. */
  release(callId: string): void
  /**
   * Ends a call that was reserved. Resolves when the end of this process can no longer undo it: the books have it in a
   * moment, or already if it has an idempotency key. Undefined for any other call.
   */
  end(settlement: Settlement): Promise<SettleOutcome> | undefined
  /** Gives back what no call has reserved. Resolves to whether the account has more to spend by it than a moment ago. */
  recall(accountId: string): Promise<boolean>
  /** Writes everything, and closes every tab. */
  close(): Promise<void>
}

interface Reservation extends OpenCall {
  readonly tab: Tab
}

interface Turn extends TabTurn {
  readonly tab: Tab
  readonly ended: readonly Ended[]
  readonly recalled: Tab['recalled']
}

/** Who calls again within this time gets a tab, and who does not for as long loses it. */
const idleMs = 1_000
const accountsRememberedMax = 10_000
const sweepIntervalMs = 250
const restMs = 1_000
/** How long calls that ended wait for others, so that a batch is worth its statement. */
const gatherMs = 5
const turnsPerBatchMax = 256
const endedPerTurnMax = 256
/** Calls that the database has not heard of yet. Beyond it the next ones are held by themselves. */
const unwrittenMax = 10_000
/** In calls as dear as the dearest: what a tab asks for, when it asks, and beyond what it gives back. */
const callsWanted = 16
const callsLow = 8
const callsMany = 128

const nothingMore = {
  take: 0,
  takePlaces: 0,
  give: 0,
  givePlaces: 0,
  last: false,
  recalled: undefined,
} as const

export function createTabs({
  turns: commits,
  gatewayNumber,
  journal,
  clock,
  log,
}: {
  turns: TabTurns
  gatewayNumber: number
  journal: TabJournal
  clock: Clock
  log: Log
}): Tabs {
  /** When an account without a tab called last. */
  const calledAt = new Map<string, number>()
  const current = new Map<string, Tab>()
  const all = new Set<Tab>()
  const reservations = new Map<string, Reservation>()
  /** Ends of calls with an idempotency key that the books do not have yet: each call ends once, the first time that it is told. */
  const awaited = new Map<string, Promise<SettleOutcome>>()
  /** When an account was last given something back. */
  const givenAt = new Map<string, number>()
  let unwritten = 0
  let running: Promise<void> | undefined
  let isClosed = false
  /** A caller waits until the books have a call that ended. */
  let isAwaited = false

  function openTab(name: string, hold: Hold) {
    const tab = newTab(name, hold, clock.now())
    current.set(name, tab)
    all.add(tab)
    schedule()
  }

  function retire(tab: Tab) {
    tab.isClosing = true
    if (current.get(tab.name) === tab) current.delete(tab.name)
  }

  function forget(tab: Tab) {
    retire(tab)
    all.delete(tab)
    tab.recalled?.resolve(false)
  }

  function isRecent(at: number | undefined): boolean {
    return at !== undefined && clock.now() - at < idleMs
  }

  const sweep = setInterval(() => {
    const now = clock.now()
    for (const tab of all) {
      const isIdle = tab.open === 0 && now - tab.usedAt >= idleMs
      if (isIdle || now >= tab.endsAt) retire(tab)
    }
    for (const remembered of [calledAt, givenAt])
      for (const [accountId, at] of remembered) if (now - at > idleMs) remembered.delete(accountId)
    if ([...all].some(hasWork)) schedule()
  }, sweepIntervalMs).unref()

  function isLow({ spare, places, dearest }: Tab): boolean {
    return spare < callsLow * dearest || places < callsLow
  }

  function hasWork(tab: Tab): boolean {
    if (clock.now() < tab.refusedUntil && !isClosed) return false
    if (tab.ended.length > 0 || tab.recalled !== undefined) return true
    if (tab.isClosing) return tab.open === 0
    return tab.spare > callsMany * tab.dearest || (isLow(tab) && clock.now() >= tab.restsUntil)
  }

  function nextTurn(tab: Tab): Turn {
    const ended = tab.ended.splice(0, endedPerTurnMax)
    // Whoever recalls it hears when everything is in the books.
    const recalled = tab.ended.length === 0 ? tab.recalled : undefined
    if (recalled !== undefined) tab.recalled = undefined
    const last = tab.isClosing && tab.open === 0 && tab.ended.length === 0
    let [take, takePlaces, give, givePlaces] = [0, 0, 0, 0]
    if (last || recalled !== undefined) {
      ;[give, givePlaces] = [tab.spare, tab.places]
    } else if (!tab.isClosing && clock.now() >= tab.restsUntil) {
      if (tab.spare < callsLow * tab.dearest) take = callsWanted * tab.dearest - tab.spare
      if (tab.places < callsLow) takePlaces = callsWanted - tab.places
    }
    if (tab.spare - give > callsMany * tab.dearest) give = tab.spare - callsWanted * tab.dearest
    // What is on its way back can no longer be reserved.
    tab.spare -= give
    tab.places -= givePlaces
    return { tab, ended, take, takePlaces, give, givePlaces, last, recalled }
  }

  function schedule() {
    // Where no other call is under way, there is none to gather.
    const isAlone = isAwaited && reservations.size === 0
    running ??= clock
      .sleep(isClosed || isAlone ? 0 : gatherMs)
      .then(drain)
      .finally(() => {
        running = undefined
        if (!isClosed && [...all].some(hasWork)) schedule()
      })
  }

  async function drain() {
    isAwaited = false
    const turns: Turn[] = []
    const accounts = new Set<string>()
    for (const tab of all) {
      if (turns.length === turnsPerBatchMax) break
      if (accounts.has(tab.accountId) || !hasWork(tab)) continue
      accounts.add(tab.accountId)
      turns.push(nextTurn(tab))
      // The next batch begins with the others.
      all.delete(tab)
      all.add(tab)
    }
    if (turns.length > 0) await commit(turns)
  }

  /** What spoils a statement spoils it for all in it: each one alone shows which. */
  async function commit(turns: readonly Turn[]): Promise<void> {
    try {
      await answer(turns, await commits.commit(turns))
    } catch (error) {
      const [turn] = turns
      if (isTransient(error)) {
        // Only at the end: what is on file is for whoever starts next.
        for (const { tab, recalled, ended } of turns) {
          recalled?.resolve(false)
          for (const each of [...ended, ...tab.ended])
            tell(each, fail('unavailable', { cause: error }))
          forget(tab)
        }
      } else if (turns.length > 1) {
        for (const each of turns) await commit([each])
      } else if (turn !== undefined && turn.ended.length > 0) {
        const { ended } = turn
        if (ended.length === 1) lose(ended, error)
        else for (const each of ended) await commit([{ ...turn, ...nothingMore, ended: [each] }])
        await commit([{ ...turn, ended: [] }])
      } else if (turn !== undefined) giveUp(turn, error)
    }
  }

  /** Nothing more runs on it, and it is closed when the database takes that: at the end, by whoever starts next. */
  function giveUp({ tab, recalled }: Turn, error: unknown) {
    log.error({ err: error, accountId: tab.accountId }, 'The database refuses a tab.')
    for (const waiting of [recalled, tab.recalled]) waiting?.resolve(false)
    retire(tab)
    tab.refusedUntil = clock.now() + restMs
    if (isClosed || tab.turn === 0) forget(tab)
  }

  async function answer(turns: readonly Turn[], rows: readonly TabRow[]) {
    const now = clock.now()
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const turn of turns) {
      const { tab, ended } = turn
      const row = byId.get(tab.id)
      if (row === undefined || turn.last) forget(tab)
      // While the database was away, another gateway may have taken this one for dead and given the tab back.
      if (row === undefined) await replay([...ended, ...tab.ended.splice(0)])
      else forgetEnded(ended)
      if (row !== undefined && !turn.last) credit(turn, row, now)
      if (turn.give > 0 || turn.givePlaces > 0) givenAt.set(tab.accountId, now)
      turn.recalled?.resolve(turn.give > 0 || turn.givePlaces > 0)
    }
  }

  function credit({ tab, take, takePlaces }: Turn, row: TabRow, now: number) {
    tab.turn += 1
    tab.spare += row.granted
    tab.places += row.granted_places
    tab.endsAt = now + row.lives_ms
    tab.callMicrosMax = row.call_micros_max ?? Number.POSITIVE_INFINITY
    const gotNothing = row.granted === 0 && row.granted_places === 0
    if (take + takePlaces > 0 && gotNothing) tab.restsUntil = now + restMs
  }

  async function replay(ended: readonly Ended[]) {
    for (const each of ended)
      await commits.replay(each.line).then(
        () => forgetEnded([each]),
        (error) => {
          if (isTransient(error)) tell(each, fail('unavailable', { cause: error }))
          else lose([each], error)
        },
      )
  }

  function forgetEnded(ended: readonly Ended[]) {
    unwritten -= ended.length
    for (const each of ended) {
      void each.filed.then((segment) => segment !== undefined && journal.written(segment))
      tell(each)
    }
  }

  function tell(ended: Ended, error?: Error) {
    awaited.delete(ended.callId)
    ended.tell?.(error)
  }

  function lose(ended: readonly Ended[], error: unknown) {
    for (const each of ended) {
      const { callId, charged } = each
      log.error(
        { err: error, callId, charged },
        'A call that ended could not be written; nobody is charged for it.',
      )
      tell(each, fail('upstream_error', { cause: error }))
    }
    forgetEnded(ended)
  }

  /** Takes a call off its tab, but for its charge. */
  function free(callId: string, charged: Micros): Reservation | undefined {
    const reservation = reservations.get(callId)
    if (reservation === undefined) return undefined
    const { tab, hold } = reservation
    reservations.delete(callId)
    if (charged > hold.micros)
      throw new RangeError('A call on a tab was charged more than was reserved.')
    tab.spare += hold.micros - charged
    tab.places += 1
    tab.open -= 1
    return reservation
  }

  async function recallOne(tab: Tab): Promise<boolean> {
    if (tab.recalled === undefined) {
      if (tab.spare === 0 && tab.places === 0 && tab.ended.length === 0) return false
      tab.recalled = Promise.withResolvers<boolean>()
      tab.restsUntil = clock.now() + restMs
      schedule()
    }
    return await tab.recalled.promise
  }

  return {
    reserve(hold) {
      if (isClosed || unwritten >= unwrittenMax) return false
      const { accountId, keyId, action, limits, micros } = hold
      const name = `${limits === undefined ? accountId : `${accountId} ${keyId}`} ${action}`
      const now = clock.now()
      const tab = current.get(name)
      if (tab === undefined) {
        if (isRecent(calledAt.get(name))) openTab(name, hold)
        else if (calledAt.size < accountsRememberedMax) calledAt.set(name, now)
        return false
      }
      if (tab.limits !== limits) {
        // The limits have changed: the next calls are held by themselves until there is a tab by the new ones.
        retire(tab)
        schedule()
        return false
      }
      if (micros > tab.callMicrosMax) return false
      tab.dearest = Math.max(tab.dearest, micros)
      const fits = tab.spare >= micros && tab.places > 0 && now < tab.endsAt
      if (fits) {
        tab.spare -= micros
        tab.places -= 1
        tab.open += 1
        tab.usedAt = now
        reservations.set(hold.callId, { tab, hold, startedAt: now })
      }
      if (hasWork(tab)) schedule()
      return fits
    },
    release(callId) {
      const tab = free(callId, 0)?.tab
      if (tab !== undefined && hasWork(tab)) schedule()
    },
    end(settlement) {
      const reservation = free(settlement.callId, settlement.charged)
      if (reservation === undefined) return awaited.get(settlement.callId)
      const { tab } = reservation
      unwritten += 1
      const { ended, safe } = endCall(journal, gatewayNumber, reservation, settlement)
      const outcome = safe.then(() => ({ outcome: 'done', available: tab.spare }) as const)
      if (ended.tell !== undefined) awaited.set(ended.callId, outcome)
      if (all.has(tab)) {
        isAwaited ||= ended.tell !== undefined
        tab.ended.push(ended)
        schedule()
      } else void replay([ended])
      return outcome
    },
    async recall(accountId) {
      const wasGiven = isRecent(givenAt.get(accountId))
      const open = [...all].filter((tab) => tab.accountId === accountId && !tab.isClosing)
      const given = await Promise.all(open.map(recallOne))
      return wasGiven || given.includes(true)
    },
    async close() {
      clearInterval(sweep)
      isClosed = true
      commits.hurry()
      for (const tab of [...all]) {
        retire(tab)
        // Whoever has not ended by now is not charged.
        tab.open = 0
      }
      while (running) await running
      while ([...all].some(hasWork)) await drain()
      await commits.close()
      journal.close()
    },
  }
}
