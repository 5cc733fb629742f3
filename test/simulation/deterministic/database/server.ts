// A database server: connections, the time that statements take, and what a crash takes with it.
import pg, { type Client, type ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import { type Database, isTransient } from '#platform/database/database.ts'
import { createJointReads } from '#platform/database/joint-reads.ts'
import type { Faults } from '../machine/faults.ts'
import type { Random } from '../machine/random.ts'
import type { Process, Scheduler } from '../machine/scheduler.ts'
import { runBesideLocks } from './locked-accounts.ts'
import { isAsynchronous, type Rows, type Store } from './store.ts'
import { ReportedError } from './tables.ts'

export interface Server {
  /** The present state is what no crash takes back. */
  begin(): Promise<void>
  /** The database as a process uses it. */
  open(process: Process): Database
  /** The server dies and is up again later. Resolves to how many commits it has forgotten. */
  crash(): Promise<number>
  /** A server takes over that lagged behind: it has not even all that was on the disk. */
  failOver(): Promise<number>
  /** The connections of a process end, some time after it was killed. */
  disconnect(process: Process): void
  /** Called after each commit. */
  onCommit: () => void | Promise<void>
  /** Called after each commit that a crash may take back. */
  onAsynchronousCommit: () => void
  /** Whether anything that was committed has been forgotten. */
  hasForgotten(): boolean
}

interface Session {
  readonly process: Process
  isOpen: boolean
  gatewayNumber: number | undefined
  onEnd: (() => void)[]
  /** Rejects what waits for an answer. */
  readonly waiting: Set<(error: Error) => void>
}

interface Work {
  readonly session: Session
  readonly text: string
  readonly values: readonly unknown[]
  readonly answer: (rows: Rows) => void
  readonly refuse: (error: Error) => void
}

const flushAfterMsMax = 600
const downMsMax = 3_000
const commitsLostByFailoverMax = 6
/** More than are ever between two flushes. */
const commitsKept = 400

interface Parts {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  readonly process: Process
}

interface Hooks {
  onCommit: () => void | Promise<void>
  onAsynchronousCommit: () => void
}

export function createServer(parts: Parts): Server {
  const { store, scheduler, random, process: own } = parts
  const sessions = new Set<Session>()
  const hooks: Hooks = { onCommit: () => {}, onAsynchronousCommit: () => {} }
  const commits = createCommits(parts, hooks)
  const work = createWork(parts, { committed: commits.committed, end })
  let isUp = true

  async function crash(lose: () => Promise<number>) {
    if (!isUp) return 0
    isUp = false
    await work.abort()
    const forgotten = await lose()
    for (const session of [...sessions]) await end(session)
    scheduler.after(own, random.between(0, downMsMax), () => {
      isUp = true
    })
    return forgotten
  }

  async function end(session: Session) {
    if (!session.isOpen) return
    session.isOpen = false
    sessions.delete(session)
    await work.abort(session)
    const { gatewayNumber } = session
    const isLast = ![...sessions].some((other) => other.gatewayNumber === gatewayNumber)
    if (gatewayNumber !== undefined && isLast) await store.setConnected(gatewayNumber, false)
    const { process, onEnd, waiting } = session
    scheduler.after(process, random.between(0, 5), () => {
      for (const refuse of waiting) refuse(lost())
      for (const listener of onEnd) listener()
    })
  }

  return Object.assign(hooks, {
    begin: commits.begin,
    open: createConnections({
      ...parts,
      sessions,
      own,
      isUp: () => isUp,
      arrive: work.arrive,
      end,
    }),
    crash: () => crash(commits.loseUnflushed),
    failOver: () => crash(commits.loseSome),
    disconnect(process: Process) {
      for (const session of sessions)
        if (session.process === process)
          scheduler.after(own, random.between(0, 2_000), () => end(session))
    },
    hasForgotten: commits.hasForgotten,
  })
}

/** What has been committed, and what of it is on the disk. */
function createCommits({ store, scheduler, random, process: own }: Parts, hooks: Hooks) {
  /** The state after each commit that a failover may take the server back to, the oldest first. */
  let commits: { mark: number; isOnDisk: boolean }[] = []
  let hasForgotten = false

  /** These are kept for sure; of the others, the server has a random number. Resolves to how many it has not. */
  async function keep(sure: number): Promise<number> {
    const left = Math.max(1, sure + random.below(commits.length - sure + 1))
    const last = commits[left - 1]
    const forgotten = commits.length - left
    if (last !== undefined && forgotten > 0) {
      hasForgotten = true
      await store.rollBack(last.mark)
    }
    commits = commits.slice(0, left)
    return forgotten
  }

  /** Everything committed so far is on the disk. */
  function flush() {
    for (const commit of commits) commit.isOnDisk = true
  }

  return {
    async begin() {
      commits = [{ mark: await store.mark(), isOnDisk: true }]
    },
    hasForgotten: () => hasForgotten,
    loseUnflushed: () => keep(commits.findLastIndex(({ isOnDisk }) => isOnDisk) + 1),
    loseSome: () => keep(Math.max(0, commits.length - random.below(commitsLostByFailoverMax))),
    async committed(isAsync: boolean, isMessage = false) {
      const mark = await store.mark()
      const hasChanged = mark !== commits.at(-1)?.mark
      if (hasChanged) {
        commits.push({ mark, isOnDisk: false })
        if (commits.length > commitsKept) commits.splice(0, commits.length - commitsKept)
        await hooks.onCommit()
      }
      // A commit without changes does not wait for the disk.
      if (!isAsync && (hasChanged || isMessage)) flush()
      if (!isAsync) return
      scheduler.after(own, random.between(0, flushAfterMsMax), flush)
      if (hasChanged) hooks.onAsynchronousCommit()
    },
  }
}

/** Statements, one after the other. */
function createWork(
  { store, scheduler, faults, random }: Parts,
  {
    committed,
    end,
  }: {
    readonly committed: (isAsync: boolean, isMessage?: boolean) => Promise<void>
    readonly end: (session: Session) => Promise<void>
  },
) {
  /** The transaction that is open. Others wait: they would wait for its locks. */
  let transaction: { session: Session; mark: number } | undefined
  let queue: Work[] = []

  async function drain() {
    for (;;) {
      const next = queue.findIndex(
        ({ session }) => transaction === undefined || transaction.session === session,
      )
      if (next < 0) return
      const [work] = queue.splice(next, 1)
      if (work?.session.isOpen) await execute(work)
    }
  }

  async function execute(work: Work) {
    const { session, text, values, refuse } = work
    const reply = (run: () => void) => scheduler.after(session.process, faults.latencyMs(), run)
    const fault = faults.ofStatement()
    if (fault === 'refused')
      return reply(() => refuse(reported(new ReportedError('53100', 'No space is left.'))))
    if (fault === 'lost before') return await end(session)
    try {
      const rows = await runOn(session, text, values)
      if (fault === 'lost after') return await end(session)
      reply(() => work.answer(rows))
    } catch (error) {
      reply(() => refuse(reported(error)))
    }
  }

  async function runOn(session: Session, text: string, values: readonly unknown[]): Promise<Rows> {
    if (text === 'begin') {
      transaction = { session, mark: await store.mark() }
      return []
    }
    if (text === 'commit' || text === 'rollback') {
      if (text === 'rollback' && transaction?.session === session)
        await store.rollBack(transaction.mark)
      if (transaction?.session === session) transaction = undefined
      if (text === 'commit') await committed(false)
      await drain()
      return []
    }
    const run = async (sent: readonly unknown[]) =>
      store.run(text, sent, Math.floor(scheduler.nowMs()))
    const rows = await runBesideLocks({ faults, random }, { text, values }, run)
    if (text.startsWith('select pg_advisory_lock_shared')) {
      session.gatewayNumber = Number(values[0])
      await store.setConnected(session.gatewayNumber, true)
    }
    if (transaction === undefined)
      await committed(isAsynchronous(text, values), text.includes('lease_commit_turns('))
    return rows
  }

  return {
    async arrive(work: Work) {
      if (!work.session.isOpen) return
      queue.push(work)
      await drain()
    },
    /** Takes back the open transaction: that of a session, or with all that waits. */
    async abort(session?: Session) {
      if (session === undefined) queue = []
      if (transaction === undefined || (session ?? transaction.session) !== transaction.session)
        return
      await store.rollBack(transaction.mark)
      transaction = undefined
      await drain()
    },
  }
}

/** The connections of processes, as they use them. */
function createConnections({
  sessions,
  scheduler,
  faults,
  own,
  isUp,
  arrive,
  end,
}: {
  readonly sessions: Set<Session>
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly own: Process
  readonly isUp: () => boolean
  readonly arrive: (work: Work) => Promise<void>
  readonly end: (session: Session) => Promise<void>
}): Server['open'] {
  function connect(process: Process): Session {
    const session: Session = {
      process,
      isOpen: true,
      gatewayNumber: undefined,
      onEnd: [],
      waiting: new Set(),
    }
    sessions.add(session)
    return session
  }

  function send(session: Session, text: string, values: readonly unknown[]): Promise<Rows> {
    return new Promise((resolve, reject) => {
      if (session.process.isDead) return
      const refuse = (error: Error) => {
        session.waiting.delete(refuse)
        reject(error)
      }
      session.waiting.add(refuse)
      if (!isUp() || !session.isOpen) {
        scheduler.after(session.process, faults.latencyMs(), () => refuse(lost()))
        return
      }
      const answer = (rows: Rows) => {
        session.waiting.delete(refuse)
        resolve(rows)
      }
      scheduler.after(own, faults.latencyMs(), () =>
        arrive({ session, text, values, answer, refuse }),
      )
    })
  }

  function clientOf(session: Session): Client {
    const query = async (
      asked: string | { text: string; values?: readonly unknown[] },
      values = [],
    ) => {
      const { text, values: own = values } = typeof asked === 'string' ? { text: asked } : asked
      return { rows: await send(session, text, own) }
    }
    const once = (event: string, listener: () => void) => {
      if (event === 'end') session.onEnd.push(listener)
    }
    const client = { query, once, on: () => client, end: async () => await end(session) }
    // The gateway uses no more of a client than this.
    return client as unknown as Client
  }

  return (process) => {
    const database = createPool(() => {
      const session = connect(process)
      return { client: clientOf(session), end: () => end(session) }
    })
    return {
      ...database,
      queryTogether: createJointReads((statement) => database.query(statement)),
      async connect() {
        if (!isUp()) throw lost()
        return clientOf(connect(process))
      },
      pressure: () => ({ open: 0, idle: 0, most: 0, waiting: 0 }),
      executeSql() {
        throw new Error('The simulation has no library with statements of its own.')
      },
      grow() {},
    }
  }
}

/** A pool without a limit. Its errors are those of `openDatabase`. */
function createPool(connect: () => { client: ClientBase; end: () => Promise<void> }) {
  return {
    async query<Row extends object>(
      statement: string | { readonly text: string },
      values: readonly unknown[] = [],
    ): Promise<Row[]> {
      const { client, end } = connect()
      const text = typeof statement === 'string' ? statement : statement.text
      try {
        return (await client.query<Row>(text, [...values])).rows
      } catch (error) {
        throw refuse(error)
      } finally {
        void end()
      }
    },
    async transaction<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> {
      const { client, end } = connect()
      try {
        await client.query('begin')
        const result = await work(client)
        await client.query('commit')
        return result
      } catch (error) {
        const rolledBack = await client.query('rollback').then(
          () => true,
          () => false,
        )
        throw !rolledBack || error instanceof pg.DatabaseError ? refuse(error) : error
      } finally {
        void end()
      }
    },
    close: async () => {},
  }
}

const lost = () => new Error('Connection terminated unexpectedly')

function reported(error: unknown): Error {
  if (!(error instanceof ReportedError)) return error as Error
  return Object.assign(new pg.DatabaseError(error.message, 0, 'error'), { code: error.code })
}

/** As `openDatabase` does. */
const refuse = (error: unknown) =>
  isTransient(error) ? fail('unavailable', { cause: error }) : error
