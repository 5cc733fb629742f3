// One run: gateways on hosts, a database, callers, and what goes wrong. Everything follows from the scenario.
import { createServer } from '../database/server.ts'
import type { Store } from '../database/store.ts'
import { createDisk } from '../machine/disk.ts'
import { createFaults, type FaultKind } from '../machine/faults.ts'
import { enterMachine, settlePromises } from '../machine/globals.ts'
import { createRandom } from '../machine/random.ts'
import { createProcess, createScheduler } from '../machine/scheduler.ts'
import { type Account, openAccounts } from './accounts.ts'
import { startCallers } from './callers.ts'
import { killHost, startHost } from './hosts.ts'
import { createPromises } from './promises.ts'
import { scheduleTrouble, troubleAfterCommit } from './trouble.ts'
import type { Host, Scenario, World } from './world.ts'

export interface Outcome {
  /** What is wrong, first things first. Empty: nothing. */
  readonly violations: readonly string[]
  readonly faults: readonly FaultKind[]
  readonly virtualMs: number
}

const noonMs = Date.UTC(2026, 0, 15, 12)
const midnightMs = Date.UTC(2026, 0, 16)
const eventsMax = 60_000
/** With nothing more going wrong, everything has ended after this time. */
const endsWithinMs = 120_000

export async function simulate(
  scenario: Scenario,
  store: Store,
  onLog: (line: string) => void = () => {},
): Promise<Outcome> {
  const random = createRandom(scenario.seed)
  const violations: string[] = []
  const world = createWorld({ scenario, store, random, violations, onLog })
  const { scheduler, server, disk } = world
  enterMachine({ scheduler, random: random.fork(), disk })
  try {
    const accounts = await openAccounts(store, scenario, random.fork())
    await server.begin()
    for (const host of world.hosts) startHost(world, host)
    server.onCommit = async () => {
      for (const problem of await store.problems()) world.violate(problem)
    }
    server.onAsynchronousCommit = () => troubleAfterCommit(world)
    const callersLeft = startCallers(world, accounts, random.fork())
    scheduleTrouble(world)
    const isWrong = () => violations.length > 0
    const hasCalled = await scheduler.runUntil(() => callersLeft() === 0 || isWrong(), eventsMax)
    if (!hasCalled) world.violate('the callers did not come to an end')
    world.faults.end()
    if (!isWrong()) await endEverything(world, isWrong)
    if (!isWrong()) await checkPromises(world, accounts)
  } finally {
    enterMachine(undefined)
  }
  return {
    violations,
    faults: world.faults.happened(),
    virtualMs: scheduler.nowMs() - world.startsAtMs,
  }
}

function createWorld({
  scenario,
  store,
  random,
  violations,
  onLog,
}: {
  readonly scenario: Scenario
  readonly store: Store
  readonly random: ReturnType<typeof createRandom>
  readonly violations: string[]
  readonly onLog: (line: string) => void
}): World {
  // Some runs begin a moment before midnight (UTC).
  const startsAtMs = random.chance(0.2) ? midnightMs - random.between(0, 6_000) : noonMs
  const scheduler = createScheduler(startsAtMs, settlePromises)
  const without = new Set(scenario.without)
  const faults = createFaults(random.fork(), { most: scenario.faultsMost, without })
  const diskRandom = random.fork()
  const disk = createDisk({
    scheduler,
    faultOfWrite: faults.ofWrite,
    part: (bytes) => diskRandom.below(bytes),
    kill(process) {
      const host = world.hosts.find((each) => each.process === process)
      if (host !== undefined) killHost(world, host)
    },
  })
  const common = { store, scheduler, faults }
  const process = createProcess('database')
  const trace = (text: string) =>
    onLog(`${(scheduler.nowMs() - startsAtMs).toFixed(2).padStart(10)} ${text}`)
  let numbers = 0
  const world: World = {
    ...common,
    scenario,
    startsAtMs,
    disk,
    server: createServer({ ...common, random: random.fork(), process }),
    random: random.fork(),
    process: createProcess('world'),
    promises: createPromises(),
    savedParts: new Map(),
    hosts: Array.from({ length: scenario.gateways }, (_, index) => createHost(`host-${index}`)),
    failedOver: false,
    isOver: false,
    trace,
    nextNumber() {
      numbers += 1
      return numbers
    },
    violate(text) {
      trace(`VIOLATION ${text}`)
      violations.push(text)
    },
  }
  return world
}

const createHost = (name: string): Host => ({
  name,
  process: createProcess(name),
  gateway: undefined,
  asked: new Set(),
})

/** Runs until nothing is held, no lease is open, and all calls on file are in the books. */
async function endEverything(world: World, isWrong: () => boolean) {
  const { scheduler, store, disk, process, violate } = world
  const endsAtMs = scheduler.nowMs() + endsWithinMs
  let open: readonly string[] = []
  const look = () =>
    scheduler.after(process, 1_000, async () => {
      open = [...(await store.open()), ...disk.filled()]
      if (open.length > 0 && scheduler.nowMs() < endsAtMs) look()
      else world.isOver = true
    })
  look()
  await scheduler.runUntil(() => world.isOver || isWrong(), eventsMax)
  if (open.length > 0)
    violate(`still open after ${endsWithinMs / 1_000} seconds: ${open.join(', ')}`)
}

async function checkPromises(world: World, accounts: readonly Account[]) {
  const { store, faults, promises, server, failedOver, scenario, violate } = world
  for (const problem of await store.problems(true)) violate(problem)
  const calls = await store.calls()
  const forgot = server.hasForgotten()
  const isOneDay = world.startsAtMs === noonMs
  for (const { accountId, dayMicrosMax } of forgot || failedOver || !isOneDay ? [] : accounts) {
    const ofAccount = calls.filter((call) => call.accountId === accountId)
    const charged = ofAccount.reduce((sum, call) => sum + call.charged, 0)
    if (charged > (dayMicrosMax ?? Number.POSITIVE_INFINITY))
      violate(`a key with a limit of ${dayMicrosMax} a day was charged ${charged}`)
  }
  const happened = faults.happened()
  const broken = promises.broken(calls, {
    forgot,
    failedOver,
    nothingFailed: scenario.faultsMost === 0,
    journalFailed: happened.includes('full disk') || happened.includes('killed in a write'),
  })
  for (const text of broken) violate(text)
}
