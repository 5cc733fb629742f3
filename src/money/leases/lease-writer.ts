// Tells the database about the leases: gathers their turns into batches, sends them, and books the answers.
import type { Clock, Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import type { EndedCall, EndedCalls } from './ended-calls.ts'
import { askNothing, grant, type Lease, refuse, takeTurn } from './lease.ts'
import type { Entry, LeaseBook } from './lease-book.ts'
import type { LeaseCommits, LeaseRow, LeaseTurn } from './lease-commits.ts'

interface Dependencies {
  readonly book: LeaseBook
  readonly calls: EndedCalls
  readonly commits: LeaseCommits
  readonly clock: Clock
  readonly log: Log
  /** Called with the account of a lease that has given something back. */
  readonly onGiven: (accountId: string) => void
}

interface Turn extends Omit<LeaseTurn, 'lease'> {
  readonly entry: Entry
  readonly ended: readonly EndedCall[]
  readonly recalled: Entry['recalled']
}

export interface LeaseWriter {
  /** Sends the next turns in a moment; `isAwaited`: a caller waits until the books have a call that ended. */
  schedule(isAwaited?: boolean): void
  /** Writes calls whose lease is gone. */
  replay(ended: readonly EndedCall[]): Promise<void>
  /** Sends everything. The gateway has retired all leases by then. */
  finish(): Promise<void>
}

/** How long ended calls that no caller waits for gather, so that a batch is worth its statement. */
const gatherMs = 5
const turnsPerBatchMax = 256
const endedPerTurnMax = 256

export function createLeaseWriter(dependencies: Dependencies): LeaseWriter {
  const { book, calls, commits, clock } = dependencies
  let running: Promise<void> | undefined
  let isFinishing = false
  let isAwaited = false
  /** Breaks of the connection after which the leases were compared with the database. */
  let breaksReconciled = commits.breaks()
  /** The database is away while the gateway stops. What it may have forgotten is on file for the next start. */
  let isLeft = false
  const isDoubtful = () => commits.breaks() !== breaksReconciled
  const hasWork = () =>
    (!isLeft && (isDoubtful() || calls.isFlushDue())) || [...book.entries()].some(book.needsTurn)

  function schedule(callerWaits = false) {
    isAwaited ||= callerWaits
    running ??= (isAwaited || isFinishing ? endOfTurn() : clock.sleep(gatherMs))
      .then(drain)
      .finally(() => {
        running = undefined
        if (!isFinishing && hasWork()) schedule()
      })
  }

  async function drain() {
    isAwaited = false
    const turns = nextTurns(book, clock.now())
    if (turns.length > 0 || calls.isFlushDue()) await commit(turns)
    if (isDoubtful()) await reconcileAll()
  }

  /** An operation that the database refuses spoils the statement for all in it: each one alone shows which. */
  async function commit(turns: readonly Turn[]): Promise<void> {
    const isDurable = calls.isFlushDue() || turns.some(hasWaiting)
    try {
      const sent = turns.map((turn) => ({ ...turn, lease: turn.entry.lease }))
      const rows = await commits.commit(sent, isDurable)
      // What was committed before a break may be lost, although this commit is on the disk.
      if (isDurable && !isDoubtful()) calls.flushed()
      await answer(dependencies, turns, { rows, isDurable })
    } catch (error) {
      const [turn] = turns
      if (isTransient(error)) {
        isLeft = isFinishing
        leave(dependencies, turns, error)
      } else if (turns.length > 1) for (const each of turns) await commit([each])
      else if (turn !== undefined && turn.ended.length > 0) {
        if (turn.ended.length === 1) calls.lost(turn.ended, error)
        else for (const each of turn.ended) await commit([carryOnly(turn, [each])])
        await commit([{ ...turn, ended: [] }])
      } else if (turn !== undefined) giveUp(dependencies, turn, error, isFinishing)
    }
  }

  async function reconcileAll() {
    breaksReconciled = commits.breaks()
    await reconcile(dependencies).catch((error) => {
      isLeft = isFinishing
      dependencies.log.error({ err: error }, 'The leases could not be compared with the database.')
    })
  }

  return {
    schedule,
    replay: (ended) => replay(dependencies, ended),
    async finish() {
      isFinishing = true
      // A call that ends meanwhile schedules a turn of its own.
      while (running !== undefined || hasWork()) await (running ?? drain())
      if (calls.committedOnly().length > 0 && !isLeft) await flushLast(dependencies, isDoubtful)
    },
  }
}

const hasWaiting = ({ ended }: Turn) => ended.some(({ tell }) => tell !== undefined)

/** The next turns, at most one for each account. */
function nextTurns(book: LeaseBook, nowMs: number): Turn[] {
  const turns: Turn[] = []
  const accounts = new Set<string>()
  for (const entry of [...book.entries()]) {
    if (turns.length === turnsPerBatchMax) break
    const { accountId } = entry.lease
    if (accounts.has(accountId) || !book.needsTurn(entry)) continue
    accounts.add(accountId)
    turns.push(nextTurn(entry, nowMs))
    // The next batch begins with the others.
    book.moveBack(entry)
  }
  return turns
}

/** While a statement is under way, the calls that end meanwhile gather by themselves. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function nextTurn(entry: Entry, nowMs: number): Turn {
  const ended = entry.ended.splice(0, endedPerTurnMax)
  // A recall is answered once all calls that ended are in the books.
  const recalled = entry.ended.length === 0 ? entry.recalled : undefined
  if (recalled !== undefined) entry.recalled = undefined
  const load = { ended: entry.ended.length, isRecalled: recalled !== undefined }
  const { lease, ask } = takeTurn(entry.lease, load, nowMs)
  entry.lease = lease
  entry.isAsking = true
  const reserved = entry.ended.reduce((sum, { charged }) => sum + charged, lease.reserved)
  return { entry, ask, ended, reserved, recalled }
}

/** A turn before the given one, that only carries some of its calls. */
function carryOnly(turn: Turn, ended: readonly EndedCall[]): Turn {
  return { ...turn, ask: askNothing, recalled: undefined, ended }
}

async function answer(
  dependencies: Dependencies,
  turns: readonly Turn[],
  { rows, isDurable }: { rows: readonly LeaseRow[]; isDurable: boolean },
) {
  const { book, calls, clock } = dependencies
  const nowMs = clock.now()
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { entry, ask, ended, recalled } of turns) {
    const row = byId.get(entry.lease.id)
    entry.isAsking = false
    const hasGiven = ask.give > 0 || ask.givePlaces > 0
    if (hasGiven) dependencies.onGiven(entry.lease.accountId)
    recalled?.resolve(hasGiven || row === undefined)
    if (row === undefined) {
      // Another gateway released the lease because this one seemed dead, or the database forgot one of its turns.
      await drop(dependencies, entry, ended)
      continue
    }
    if (ask.last) book.forget(entry)
    else entry.lease = granted(entry.lease, ask, row, nowMs)
    const gone = new Set(row.gone)
    calls.gone(ended.filter(({ callId }) => gone.has(callId)))
    const booked = ended.filter(({ callId }) => !gone.has(callId))
    if (isDurable) calls.written(booked, row.spendable)
    else calls.committed(booked)
  }
}

/** The lease no longer counts. Its ended calls are booked one by one; those under way follow when they end. */
async function drop(dependencies: Dependencies, entry: Entry, ended: readonly EndedCall[]) {
  dependencies.book.forget(entry)
  await replay(dependencies, [...ended, ...entry.ended.splice(0)])
}

/**
 * After a break, the database may have forgotten the last commits that did not wait for its disk. The leases of both
 * sides are compared, and committed calls that are missing are written again.
 */
async function reconcile(dependencies: Dependencies) {
  const { book, calls, commits } = dependencies
  // A lease without a turn is not in the database yet.
  const known = [...book.entries()].filter(({ lease }) => lease.turn > 0)
  const same = await commits.reconcile(known.map(({ lease }) => lease))
  for (const entry of known) {
    if (same.has(entry.lease.id)) continue
    dependencies.onGiven(entry.lease.accountId)
    await drop(dependencies, entry, [])
  }
  const committed = calls.committedOnly()
  const missing = await commits.unwritten(committed.map(({ callId }) => callId))
  for (const { callId, charged, record } of committed)
    if (missing.has(callId))
      await commits.replay(record).catch((error) => {
        if (isTransient(error)) throw error
        dependencies.log.error({ err: error, callId, charged }, 'A call is lost.')
      })
}

/** What is not on the disk of the books stays in the journal for the next gateway. */
async function flushLast({ calls, commits, log }: Dependencies, isDoubtful: () => boolean) {
  try {
    await commits.commit([], true)
    if (!isDoubtful()) calls.flushed()
  } catch (error) {
    log.warn({ err: error }, 'The last calls stay on file for the next start.')
  }
}

function granted(lease: Lease, ask: Turn['ask'], row: LeaseRow, nowMs: number): Lease {
  const { granted: micros, granted_places: places, lives_ms, call_micros_max } = row
  return grant(
    lease,
    ask,
    { micros, places, livesMs: lives_ms, callMicrosMax: call_micros_max },
    nowMs,
  )
}

async function replay({ calls, commits }: Dependencies, ended: readonly EndedCall[]) {
  for (const each of ended)
    try {
      if (await commits.replay(each.record))
        calls.written([each], each.tell && (await commits.spendable(each.accountId)))
      else calls.gone([each])
    } catch (error) {
      if (isTransient(error)) calls.left([each], error)
      else calls.lost([each], error)
    }
}

/** The gateway stops while the database is away. */
function leave({ book, calls }: Dependencies, turns: readonly Turn[], error: unknown) {
  for (const { entry, recalled, ended } of turns) {
    entry.isAsking = false
    recalled?.resolve(false)
    calls.left([...ended, ...entry.ended], error)
    book.forget(entry)
  }
}

/** No more calls run on a lease that the database refuses; it closes when the database takes that. */
function giveUp(
  { book, clock, log }: Dependencies,
  { entry, recalled }: Turn,
  error: unknown,
  isFinishing: boolean,
) {
  log.error({ err: error, accountId: entry.lease.accountId }, 'The database refuses a lease.')
  for (const waiting of [recalled, entry.recalled]) waiting?.resolve(false)
  entry.isAsking = false
  book.retire(entry)
  entry.lease = refuse(entry.lease, clock.now())
  // The successor of a gateway that stops closes its leases.
  if (isFinishing || entry.lease.turn === 0) book.forget(entry)
}
