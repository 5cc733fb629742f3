// The session engine on a real ledger, with a clock that the test moves and resources that the test can look into.
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest'
import { createOpenAccess } from '#accounts/open-access.ts'
import { defineSession, z } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { createCatalog } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import { noFiles } from '#core/files.ts'
import { uuidv7 } from '#core/id.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { MeteredPrice } from '#core/price.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import type { SessionPolicy, SessionResource, Usage } from '#core/session.ts'
import { createService } from '#platform/http/service.ts'
import { createCommandJobs } from '#runner/sessions/command-jobs.ts'
import { createRepeats } from '#runner/sessions/repeats.ts'
import { createSessionRows } from '#runner/sessions/session-rows.ts'
import { createSessions } from '#runner/sessions/sessions.ts'
import type { AtEnd } from '../database.ts'
import { noErrands } from '../gateways/no-errands.ts'
import { openLedger } from '../ledger.ts'
import { silentLog as log } from '../silent-log.ts'

/** A clock that stands still until the test moves it. */
function createStillClock(): Clock & { advance(ms: number): void } {
  let now = Date.now()
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
    sleep: (_delayMs, signal) =>
      new Promise((_resolve, reject) => {
        const end = () => reject(signal?.reason)
        if (signal?.aborted) end()
        signal?.addEventListener('abort', end, { once: true })
      }),
  }
}

/** What exists on the machine: it outlives gateways. */
export function createTestMachine() {
  return {
    boxes: new Map<string, { isAlive: boolean; suspended: boolean; measured: Usage | undefined }>(),
    refusesToOpen: false,
    refusesToClose: false,
    refusesToAdopt: false,
    refusesToSuspend: false,
    /** Whether a box that ended by itself can be continued as it was saved last. */
    keepsCopies: false,
    /** Boxes open, or are suspended, when these resolve. */
    opening: Promise.resolve(),
    suspending: Promise.resolve(),
    /** Whether boxes survive their gateway. */
    survives: (_sessionId: string) => true,
    /** Since when copies of the boxes' files fail. */
    unsavedSinceMs: undefined as number | undefined,
    /** What runs in each of its boxes without a command. */
    background: { programs: 0, workedAtMs: 0 },
    /** How many commands were begun. */
    commands: 0,
    /** How many of them were stopped. */
    stopped: 0,
    /** Resolves to end the commands under way. */
    gate: Promise.withResolvers<void>(),
  }
}

export type TestMachine = ReturnType<typeof createTestMachine>

const price = {
  perHourCents: { vcpu: 5, gigabyte: 2.5 },
  reserveCents: 5,
  atMostCents: 1_000,
  basis: '5¢ per vCPU-hour',
} satisfies MeteredPrice

const testTariff = { vcpu: 50_000, gigabyte: 25_000 }

function createKind(machine: TestMachine, policy: SessionPolicy, reach: 'machine' | 'anywhere') {
  const resourceOf = (sessionId: string, perSecond: Usage): SessionResource => {
    const box = machine.boxes.get(sessionId)
    if (box === undefined) throw new Error('There is no such box.')
    return {
      state: { perSecond },
      perSecond,
      ...(box.measured === undefined ? {} : { measure: async () => box.measured ?? {} }),
      async run(command, signal) {
        machine.commands += 1
        const stopped = Promise.withResolvers<never>()
        stopped.promise.catch(() => {})
        const stop = () => {
          machine.stopped += 1
          stopped.reject(signal.reason)
        }
        signal.addEventListener('abort', stop, { once: true })
        if ('command' in command && command.command === 'wait')
          await Promise.race([machine.gate.promise, stopped.promise])
        if (!box.isAlive || box.suspended) throw new Error('The box does not run.')
        return { stdout: sessionId, stderr: '', exitCode: 0, timedOut: false }
      },
      alive: async () => box.isAlive,
      unsavedSinceMs: () => machine.unsavedSinceMs,
      background: async () => machine.background,
      async suspend() {
        if (machine.refusesToSuspend) throw new Error('The files of the box are too large.')
        box.suspended = true
        await machine.suspending
        return { perSecond }
      },
      async salvage() {
        if (!machine.keepsCopies) throw fail('session_closed')
        return { perSecond }
      },
      async close() {
        if (machine.refusesToClose) throw new Error('The box does not close.')
        machine.boxes.delete(sessionId)
      },
    }
  }
  return {
    reach,
    policy,
    async open({ sessionId, input }: { sessionId: string; input: { perSecond: Usage } }) {
      if (machine.refusesToOpen) throw fail('upstream_error')
      await machine.opening
      machine.boxes.set(sessionId, { isAlive: true, suspended: false, measured: undefined })
      return resourceOf(sessionId, input.perSecond)
    },
    async adopt({ sessionId }: { sessionId: string }, state: unknown) {
      const box = machine.boxes.get(sessionId)
      if (machine.refusesToAdopt && box !== undefined) throw new Error('The box does not answer.')
      if (box === undefined || !machine.survives(sessionId)) return undefined
      Object.assign(box, { suspended: false, isAlive: true })
      return resourceOf(sessionId, (state as { perSecond: Usage }).perSecond)
    },
    async discard({ sessionId }: { sessionId: string }) {
      if (machine.refusesToClose) throw new Error('The box does not close.')
      machine.boxes.delete(sessionId)
    },
  }
}

interface SessionProviderOptions {
  timeoutMs?: number
  reach?: 'machine' | 'anywhere'
}

/** Sells boxes of the test machine. */
export function createSessionProvider(
  machine: TestMachine,
  policy: SessionPolicy = {},
  sessionsAtOnceMax = { perAccount: 1_000, perMachine: 1_000 },
  { timeoutMs = 30_000, reach = 'machine' }: SessionProviderOptions = {},
): Provider {
  const createSession = defineSession('create_session', {
    summary: 'Open a box.',
    input: z.strictObject({
      perSecond: z.record(z.string(), z.number()).default({ vcpu: 1 }),
    }),
    price,
    sessionsAtOnceMax,
    timeoutMs,
    example: { input: {}, cents: 5 },
    session: createKind(machine, policy, reach),
  })
  return defineProvider({ id: 'boxes', title: 'Boxes', actions: [createSession] })
}

interface SessionGatewayOptions extends SessionProviderOptions {
  connectionString?: string
  clock?: ReturnType<typeof createStillClock>
  machine?: TestMachine
  machineName?: string
  policy?: SessionPolicy
  atOnceMax?: { perAccount: number; perMachine: number }
}

export type SessionGateway = Awaited<ReturnType<typeof openSessionGateway>>

/**
 * One gateway for all tests of a block. After each test its sessions are closed and its machine works again; its clock
 * goes on from where it is.
 */
export function shareSessionGateway(options: SessionGatewayOptions = {}): () => SessionGateway {
  let gateway: SessionGateway | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    gateway = await openSessionGateway(options, (work) => endings.unshift(work))
  })
  afterEach(() => gateway?.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return gateway
  }
}

/** One gateway. Several may share a database, a clock and a machine. */
export async function openSessionGateway(
  options: SessionGatewayOptions = {},
  atEnd: AtEnd = onTestFinished,
) {
  const { clock = createStillClock(), machine = createTestMachine() } = options
  const { machineName = 'machine', policy = {} } = options
  const { connectionString, database, ledger } = await openLedger(options, atEnd)
  const provider = createSessionProvider(machine, policy, options.atOnceMax, options)
  const service = { variables: new Map(), userAgent: 'Tollway/test', clock, log }
  const catalog = createCatalog([createService(provider, service)])
  const entry = catalog.find('boxes', 'create_session')
  if (entry === undefined) throw new Error('The action is missing.')
  const { gatewayNumber } = ledger
  const rows = createSessionRows({ database, gatewayNumber, machine: machineName, secret: 'test' })
  const runOnce = createRepeats({ database, gatewayNumber, clock })
  const access = createOpenAccess({ database, log })
  atEnd(access.close)
  const commandJobs = createCommandJobs({ database, gatewayNumber, clock })
  const own = { rows, runOnce, beginJob: commandJobs.begin, access }
  const alone = { filesOf: () => noFiles, defineErrand: noErrands }
  const parts = { ...own, ...alone, catalog, ledger, machine: machineName, clock, log }
  const sessions = createSessions(parts)
  atEnd(() => sessions.stop(false))

  return {
    connectionString,
    database,
    ledger,
    clock,
    machine,
    sessions,
    commandJobs,
    rows,
    async create(
      account: Pick<AccountCaller, 'accountId' | 'keyId'>,
      perSecond: Usage = { vcpu: 1 },
      maxCents?: number,
    ): Promise<string> {
      const callId = uuidv7(clock.now())
      const ceiling = maxCents === undefined ? undefined : centsToMicros(maxCents)
      const micros = Math.min(centsToMicros(price.reserveCents), ceiling ?? 1e9)
      const { accountId, keyId } = account
      const held = await sessions.submit(
        entry,
        { callId, accountId, keyId, action: entry.id, micros, lifetimeMs: 60_000 },
        ceiling,
      )
      if (held.outcome !== 'held') throw new Error(held.outcome)
      await sessions.open(entry, callId, { perSecond })
      return callId
    },
    /** Lets time pass as a gateway sees it: in steps, with a round after each. */
    async pass(seconds: number, stepSeconds = 600) {
      for (let left = seconds; left > 0; left -= stepSeconds) {
        clock.advance(Math.min(left, stepSeconds) * 1_000)
        await sessions.keepUp()
      }
    },
    /** Closes what a test left open, and has the machine work again. */
    async reset() {
      Object.assign(machine, { ...createTestMachine(), boxes: machine.boxes })
      const open = await rows.list({}, { limit: 1_000, live: true })
      for (const { id } of open) await sessions.kill(id)
      await sessions.keepUp()
      if (machine.boxes.size > 0) throw new Error('A closed session has left a box.')
    },
    /** What the session was charged in all its calls. */
    async charged(sessionId: string): Promise<number> {
      return (await rows.get(sessionId))?.settled ?? -1
    },
  }
}

export const codeOf = (thrown: unknown) => (thrown instanceof CallError ? thrown.code : thrown)

/** The price of a lifetime, written from the specification and not from the engine. */
export function oracle(perSecond: Record<string, number>, seconds: number): number {
  const { vcpu = 0, gigabyte = 0 } = perSecond
  const hourly = BigInt(vcpu * testTariff.vcpu + gigabyte * testTariff.gigabyte)
  return Number((hourly * BigInt(seconds)) / 3_600n)
}
