// A fleet of gateways and databases under a load of paid calls, in virtual time. A gateway works on one thread. It
// sends the holds and settlements of a moment as one statement on one connection, and gathers the next ones meanwhile.
// Those of the busiest account wait for its lock on a second connection while another gateway has it. A database has
// processors, one disk that flushes the commits of a moment together, and the lock of the busiest account.
import { createQueue } from '../../test/simulation/deterministic/machine/event-queue.ts'
import { createRandom } from '../../test/simulation/deterministic/machine/random.ts'

/** What the parts of a call cost, in microseconds. Those of the processor first. */
export interface CallCosts {
  readonly gatewayCall: number
  readonly gatewayStatement: number
  readonly databaseOperation: number
  readonly databaseStatement: number
  readonly caller: number
  readonly flush: number
  /** To the database and back. */
  readonly network: number
}

export interface Fleet {
  readonly gateways: number
  /** Each has its own part of the accounts. */
  readonly databases: number
  readonly databaseProcessors: number
  /** Callers, gateways and databases share so many processors. Without it, each gateway and caller has its own. */
  readonly sharedProcessors?: number
  /** Calls of one account are sent to one gateway. */
  readonly accountsStay?: boolean
}

/** Callers who come at random, or so many who each wait for their answer before they ask again. */
export type FleetLoad =
  | { readonly callsPerSecond: number; readonly busiestAccountShare?: number }
  | { readonly callers: number }

export interface FleetReport {
  readonly callsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The share of the time in which a part was busy, on average over all parts of its kind. */
  readonly busy: {
    readonly gateways: number
    readonly databases: number
    readonly disks: number
    readonly busiestAccount: number
  }
  readonly operationsPerStatement: number
  readonly statementsPerCall: number
}

/** As the gateway’s own: src/money/ledger/group-commit.ts. */
const operationsPerStatementMax = 256
const operationsPerCall = 2
/** What came before is not counted: at the start all queues are empty. */
const warmUpShare = 0.25

type Done = () => void
type Work = (micros: number, done: Done) => void

interface Operation {
  readonly isOfBusiest: boolean
  readonly done: Done
}

export function simulateFleet(
  costs: CallCosts,
  fleet: Fleet,
  load: FleetLoad,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): FleetReport {
  const world = createWorld()
  const random = createRandom(seed)
  const machine =
    fleet.sharedProcessors === undefined ? world.wait : world.processors(fleet.sharedProcessors)
  const databases = Array.from({ length: fleet.databases }, () =>
    createDatabase(world, costs, {
      processors: world.processors(fleet.databaseProcessors, machine, 'databases'),
    }),
  )
  const gateways = Array.from({ length: fleet.gateways }, () =>
    createGateway(world, costs, {
      thread: world.processors(1, machine, 'gateways'),
      databases,
    }),
  )
  const endMs = seconds * 1_000
  const countsFromMs = endMs * warmUpShare
  const latenciesMs: number[] = []

  function call(isOfBusiest: boolean, done: Done) {
    const gateway = gateways[isOfBusiest && fleet.accountsStay ? 0 : random.below(gateways.length)]
    const database = isOfBusiest ? 0 : random.below(databases.length)
    const startedMs = world.nowMs()
    gateway?.call({ database, isOfBusiest }, () => {
      if (world.nowMs() >= countsFromMs) latenciesMs.push(world.nowMs() - startedMs)
      done()
    })
  }

  if ('callers' in load) {
    const generator = world.processors(1, machine)
    const ask = () => generator(costs.caller, () => call(false, ask))
    for (let caller = 0; caller < load.callers; caller += 1) ask()
  } else {
    const { callsPerSecond, busiestAccountShare = 0 } = load
    const arrive = () => {
      call(random.chance(busiestAccountShare), () => {})
      world.wait((-Math.log(1 - random.next()) / callsPerSecond) * 1e6, arrive)
    }
    arrive()
  }
  world.run(countsFromMs)
  world.forget()
  world.run(endMs)

  const sorted = latenciesMs.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  const countedMs = endMs - countsFromMs
  const busyShare = (kind: string, parts: number) =>
    world.busyMicros(kind) / (countedMs * 1_000 * parts)
  const statements = world.count('statements')
  return {
    callsPerSecond: sorted.length / (countedMs / 1_000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busy: {
      gateways: busyShare('gateways', fleet.gateways),
      databases: busyShare('databases', fleet.databases * fleet.databaseProcessors),
      disks: busyShare('disks', fleet.databases),
      busiestAccount: busyShare('busiestAccount', 1),
    },
    operationsPerStatement: world.count('operations') / statements,
    statementsPerCall: statements / sorted.length,
  }
}

type World = ReturnType<typeof createWorld>

/** Time, and what is worked on in it. */
function createWorld() {
  const queue = createQueue<{ atMs: number; order: number; run: Done }>()
  const busy = new Map<string, number>()
  const counts = new Map<string, number>()
  let nowMs = 0
  let order = 0
  const add = (sums: Map<string, number>, name: string, amount: number) =>
    void sums.set(name, (sums.get(name) ?? 0) + amount)

  function wait(micros: number, done: Done) {
    order += 1
    queue.push({ atMs: nowMs + micros / 1_000, order, run: done })
  }

  return {
    nowMs: () => nowMs,
    wait,
    /** Work in the order of its arrival, at most `count` at a time. What holds one of them works on `on`. */
    processors(count: number, on: Work = wait, kind?: string): Work {
      const waiting: { micros: number; done: Done }[] = []
      let free = count
      function start(micros: number, done: Done) {
        free -= 1
        if (kind !== undefined) add(busy, kind, micros)
        on(micros, () => {
          free += 1
          const task = waiting.shift()
          if (task !== undefined) start(task.micros, task.done)
          done()
        })
      }
      return (micros, done) =>
        free > 0 ? start(micros, done) : void waiting.push({ micros, done })
    },
    noteBusy: (kind: string, micros: number) => add(busy, kind, micros),
    note: (name: string, amount: number) => add(counts, name, amount),
    busyMicros: (kind: string) => busy.get(kind) ?? 0,
    count: (name: string) => counts.get(name) ?? 0,
    forget() {
      busy.clear()
      counts.clear()
    },
    run(untilMs: number) {
      for (let event = queue.pop(); event !== undefined; event = queue.pop()) {
        if (event.atMs > untilMs) {
          queue.push(event)
          break
        }
        nowMs = event.atMs
        event.run()
      }
      nowMs = untilMs
    },
  }
}

interface Statement {
  readonly operations: number
  readonly ofBusiest: number
  /** For the lock of the busiest account. Otherwise its operations are left out while that is taken. */
  readonly waits: boolean
}

interface SimulatedDatabase {
  /** Runs a statement and flushes it. `leftOut`: without the operations of the busiest account. */
  commit(statement: Statement, done: (leftOut: boolean) => void): void
}

function createDatabase(
  world: World,
  costs: CallCosts,
  { processors }: { processors: Work },
): SimulatedDatabase {
  const disk = createDisk(world, costs.flush)
  const lock = createLock(world)
  return {
    commit({ operations, ofBusiest, waits }, done) {
      const work = (count: number, committed: Done) =>
        processors(costs.databaseStatement + count * costs.databaseOperation, () => disk(committed))
      const leftOut = ofBusiest > 0 && !waits && lock.isHeld()
      if (leftOut || ofBusiest === 0)
        return work(leftOut ? operations - ofBusiest : operations, () => done(leftOut))
      // PostgreSQL gives up the lock of a row after the flush.
      lock.take((release) =>
        work(operations, () => {
          release()
          done(false)
        }),
      )
    },
  }
}

/** Flushes together what came during the flush before. */
function createDisk(world: World, flushMicros: number) {
  let waiting: Done[] = []
  let isFlushing = false
  function flush() {
    const flushed = waiting
    waiting = []
    isFlushing = flushed.length > 0
    if (!isFlushing) return
    world.noteBusy('disks', flushMicros)
    world.wait(flushMicros, () => {
      flush()
      for (const done of flushed) done()
    })
  }
  return (done: Done) => {
    waiting.push(done)
    if (!isFlushing) flush()
  }
}

function createLock(world: World) {
  const waiting: ((release: Done) => void)[] = []
  let isHeld = false
  function take(work: (release: Done) => void) {
    isHeld = true
    const sinceMs = world.nowMs()
    work(() => {
      world.noteBusy('busiestAccount', (world.nowMs() - sinceMs) * 1_000)
      isHeld = false
      const next = waiting.shift()
      if (next !== undefined) take(next)
    })
  }
  return {
    isHeld: () => isHeld,
    take(work: (release: Done) => void) {
      if (isHeld) waiting.push(work)
      else take(work)
    },
  }
}

function createGateway(
  world: World,
  costs: CallCosts,
  { thread, databases }: { thread: Work; databases: readonly SimulatedDatabase[] },
) {
  const writers = databases.map((database) => createWriter(world, costs, { thread, database }))
  return {
    /** Reads the request, holds, settles, and answers. */
    call({ database, isOfBusiest }: { database: number; isOfBusiest: boolean }, answered: Done) {
      const writer = writers[database]
      const turn = costs.gatewayCall / (operationsPerCall + 1)
      thread(turn, () =>
        writer?.({
          isOfBusiest,
          done: () =>
            thread(turn, () => writer({ isOfBusiest, done: () => thread(turn, answered) })),
        }),
      )
    },
  }
}

interface Commits {
  readonly thread: Work
  readonly database: SimulatedDatabase
}

/** How a gateway commits to a database. */
function createWriter(world: World, costs: CallCosts, parts: Commits) {
  const busyLane = createLane(world, costs, parts)
  const lane = createLane(world, costs, parts, busyLane)
  return (operation: Operation) =>
    operation.isOfBusiest && busyLane.isBusy() ? busyLane.add(operation) : lane.add(operation)
}

interface Lane {
  isBusy(): boolean
  add(operation: Operation): void
}

/** A connection, with a statement at a time. */
function createLane(
  world: World,
  costs: CallCosts,
  { thread, database }: Commits,
  busyLane?: Lane,
): Lane {
  const waiting: Operation[] = []
  let isBusy = false
  function send() {
    const batch = waiting.splice(0, operationsPerStatementMax)
    isBusy = batch.length > 0
    if (!isBusy) return
    world.note('statements', 1)
    world.note('operations', batch.length)
    const statement = {
      operations: batch.length,
      ofBusiest: batch.filter((operation) => operation.isOfBusiest).length,
      waits: busyLane === undefined,
    }
    thread(costs.gatewayStatement, () =>
      world.wait(costs.network / 2, () =>
        database.commit(statement, (leftOut) =>
          world.wait(costs.network / 2, () => {
            for (const operation of batch)
              if (leftOut && operation.isOfBusiest) busyLane?.add(operation)
              else operation.done()
            send()
          }),
        ),
      ),
    )
  }
  return {
    isBusy: () => isBusy,
    add(operation) {
      waiting.push(operation)
      if (!isBusy) send()
    },
  }
}
