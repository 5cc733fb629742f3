// A gateway of the simulation: the real ledger, leases, journal, meter and runner, on simulated edges.
import type { AccountCaller } from '#core/caller.ts'
import type { Clock, Log } from '#core/ports.ts'
import { addLeases } from '#money/leases/leases.ts'
import { createLedger, type Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'
import { createCalls } from '../../../../src/runner/history/calls.ts'
import { createJobs, type Jobs } from '../../../../src/runner/jobs/jobs.ts'
import { createMeter } from '../../../../src/runner/run/meter.ts'
import { type AccountRunner, createAccountRunner } from '../../../../src/runner/run/run.ts'
import { createExecutor, entryOf } from './executor.ts'
import { createSimulatedQueue } from './job-queue.ts'
import type { Vendor } from './vendor.ts'

export interface Reply {
  readonly callId: string | undefined
  /** Undefined where the caller is not told. */
  readonly charged: number | undefined
  readonly output: string
  readonly replayed: boolean
}

export interface ChatRequest {
  readonly caller: AccountCaller
  readonly worstMicros: number
  readonly idempotencyKey: string | undefined
  readonly body: unknown
}

export interface CallRequest extends ChatRequest {
  readonly isJob: boolean
}

export interface Gateway {
  readonly ledger: Ledger
  chat(request: ChatRequest): Promise<Reply>
  call(request: CallRequest): Promise<Reply>
  close(): Promise<void>
}

export interface Surroundings {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly journalDirectory: string
  readonly vendor: Vendor
  /** Called with the id of a call whose caller is told that it failed. */
  readonly onFailed: (callId: string) => void
  /** The parts of jobs that were saved, as far as gateways know. */
  readonly savedParts: Map<string, Map<string, number>>
  /** The clock of the host may differ. */
  readonly trueNowMs: () => number
  /** A part of a job that was saved is done again. */
  readonly onRepeated: (part: string) => void
  readonly nextNumber: () => number
}

const inFlightMax = 40
const lifetimeMs = 8_000
const uncounted = { begin: async () => async () => {} }
const noRules = { permit: async () => {} }

export async function startGateway(surroundings: Surroundings): Promise<Gateway> {
  const { clock, vendor, onFailed, log } = surroundings
  const settings = { ...surroundings, inFlightMax }
  const ledger = await addLeases(await createLedger(settings), settings)
  const calls = createCalls({ ...surroundings, ledger })
  const shared = { ledger, calls, rules: noRules, keyRates: uncounted, clock, log }
  const meter = createMeter({
    ...shared,
    mayUseLeases: true,
    submitJob: () => Promise.reject(new Error('The simulation has no chats that are jobs.')),
  })
  const executor = createExecutor(surroundings)
  const jobs = await createJobs({
    ...surroundings,
    executor,
    ledger,
    workersMax: 2,
    refreshOffers: async () => {},
    wakeUrlOf: () => undefined,
    openQueue: async () => createSimulatedQueue(surroundings),
  })
  const runner = createRunner({ ...shared, executor, jobs })

  return {
    ledger,
    async chat({ caller, worstMicros, idempotencyKey, body }) {
      const opened = await meter.open({
        caller,
        action: 'llm/chat',
        worstMicros: amounts(worstMicros),
        maxCostMicros: undefined,
        idempotencyKey,
        body,
        lifetimeMs,
      })
      const { callId } = opened
      if (opened.replay !== undefined)
        return { callId, charged: undefined, output: opened.replay, replayed: true }
      const end = { caller, chargedMicros: 0, timeline: {} }
      try {
        const { output, part, cost } = await vendor.answer()
        const chargedMicros = Math.ceil(opened.heldMicros * part)
        await meter.close(callId, { ...end, chargedMicros, costMicros: cost, output })
        return { callId, charged: chargedMicros, output, replayed: false }
      } catch (error) {
        if (!vendor.hasFailed(error)) throw error
        const failed = { error: 'upstream_error', message: 'The model failed.' }
        await meter.close(callId, { ...end, costMicros: vendor.costOfFailure(), failed })
        onFailed(callId)
        throw error
      }
    },
    async call({ caller, worstMicros, idempotencyKey, body, isJob }) {
      const entry = entryOf(worstMicros, isJob)
      const { body: answer, replayed } = await runner
        .run({ entry, body, caller, idempotencyKey })
        .catch((error) => {
          if (vendor.hasFailed(error) && error.transactionId) onFailed(error.transactionId)
          throw error
        })
      const { data, charged_usd, transaction_id } = JSON.parse(answer)
      if (isJob)
        return { callId: data.job_id, charged: undefined, output: JSON.stringify(data), replayed }
      const charged = Math.round(Number(charged_usd) * 1_000_000)
      return { callId: transaction_id, charged, output: JSON.stringify(data), replayed }
    },
    async close() {
      await jobs.close()
      await ledger.close()
    },
  }
}

async function* amounts(worst: number) {
  yield worst
  yield Math.ceil(worst / 4)
}

type RunnerEdges = Parameters<typeof createAccountRunner>[0]

function createRunner(
  shared: Pick<
    RunnerEdges,
    'ledger' | 'calls' | 'rules' | 'keyRates' | 'clock' | 'log' | 'executor'
  > & {
    readonly jobs: Jobs
  },
): AccountRunner {
  const nothing = async () => undefined
  const edges = {
    ...shared,
    sessions: {},
    purchases: { inDoubt: nothing },
    retention: { trimFree: nothing },
    runFree: nothing,
  }
  // The edges have what the way of a paid call uses.
  return createAccountRunner(edges as unknown as RunnerEdges)
}
