// Calls on a tab. An account, or a key with limits, that calls one model after the other gets a tab: an amount, held in the database once, out
// of which this gateway reserves the worst case of each call in memory. Calls that ended go to the books in batches, and
// the tab is closed when nobody has used it for a moment. What does not fit is held by itself, as any other call.
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import type { Hold, Settlement, SettleOutcome } from './group-commit.ts'
import type { Segment, TabJournal } from './tab-journal.ts'
import { type Reservation as EndedReservation, lineOf } from './tab-line.ts'
import type { TabRow, TabTurn, TabTurns } from './tab-turns.ts'

export interface Tabs {
  /** Reserves what the call may cost. False: there is no tab, or too little on it. */
  reserve(hold: Hold): boolean
  /**
   * Ends a call that was reserved. Resolves when the end of this process can no longer undo it; the books have it in a
   * moment. Undefined for any other call.
   */
  end(settlement: Settlement): Promise<SettleOutcome> | undefined
  /** Gives back what no call has reserved. Resolves to whether the account has more to spend by it than a moment ago. */
  recall(accountId: string): Promise<boolean>
  /** Writes everything, and closes every tab. */
  close(): Promise<void>
}

interface Reservation extends EndedReservation {
  readonly tab: Tab
}

/** A call for the books. */
interface Ended {
  readonly callId: string
  readonly charged: Micros
  readonly line: string
  readonly filed: Promise<Segment | undefined>
}

interface Tab {
  readonly id: string
  readonly accountId: string
  /** Whose calls it takes: those of one key with limits, or of all keys of the account without. */
  readonly name: string
  readonly keyId: string | undefined
  /** The limits of the key when the tab was opened. */
  readonly limits: string | undefined
  /** The most that one call of the key may cost. */
  callMicrosMax: Micros
  turn: number
  /** What more calls may reserve, and how many. */
  spare: Micros
  places: number
  /** Calls under way. */
  open: number
  ended: Ended[]
  /** The worst case of the dearest call that it was asked for. */
  dearest: Micros
  usedAt: number
  /** It asks for no more until then, after it got nothing or was told to give back. */
  restsUntil: number
  /** The database would not take its last turn: the next is tried then. */
  refusedUntil: number
  /** Its day is over then. */
  endsAt: number
  /** Takes no more calls. */
  isClosing: boolean
  /** Resolved by the turn that gives back what is spare. */
  recalled:
    | { readonly promise: Promise<boolean>; readonly resolve: (given: boolean) => void }
    | undefined
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
  /** When an account was last given something back. */
  const givenAt = new Map<string, number>()
  let unwritten = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function openTab(name: string, { accountId, keyId, limits, micros }: Hold) {
    const now = clock.now()
    const tab: Tab = {
      id: uuidv7(now),
      accountId,
      name,
      keyId: limits === undefined ? undefined : keyId,
      limits,
      callMicrosMax: Number.POSITIVE_INFINITY,
      turn: 0,
      spare: 0,
      places: 0,
      open: 0,
      ended: [],
      dearest: micros,
      usedAt: now,
      restsUntil: 0,
      refusedUntil: 0,
      endsAt: Number.POSITIVE_INFINITY,
      isClosing: false,
      recalled: undefined,
    }
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
    running ??= clock
      .sleep(isClosed ? 0 : gatherMs)
      .then(drain)
      .finally(() => {
        running = undefined
        if (!isClosed && [...all].some(hasWork)) schedule()
      })
  }

  async function drain() {
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
        for (const { tab, recalled } of turns) {
          recalled?.resolve(false)
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
        (error) => isTransient(error) || lose([each], error),
      )
  }

  function forgetEnded(ended: readonly Ended[]) {
    unwritten -= ended.length
    for (const { filed } of ended)
      void filed.then((segment) => segment !== undefined && journal.written(segment))
  }

  function lose(ended: readonly Ended[], error: unknown) {
    for (const { callId, charged } of ended)
      log.error(
        { err: error, callId, charged },
        'A call that ended could not be written; nobody is charged for it.',
      )
    forgetEnded(ended)
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
      const { accountId, keyId, limits, micros } = hold
      const name = limits === undefined ? accountId : `${accountId} ${keyId}`
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
    end(settlement) {
      const reservation = reservations.get(settlement.callId)
      if (reservation === undefined) return undefined
      reservations.delete(settlement.callId)
      const { tab, hold } = reservation
      if (settlement.charged > hold.micros)
        throw new RangeError('A call on a tab was charged more than was reserved.')
      tab.spare += hold.micros - settlement.charged
      tab.places += 1
      tab.open -= 1
      unwritten += 1
      const line = lineOf(gatewayNumber, reservation, settlement)
      const filed = journal.append(line)
      const ended = { callId: settlement.callId, charged: settlement.charged, line, filed }
      if (all.has(tab)) {
        tab.ended.push(ended)
        schedule()
      } else void replay([ended])
      return filed.then(() => ({ outcome: 'done', available: tab.spare }))
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
