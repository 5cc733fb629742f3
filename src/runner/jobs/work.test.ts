import { expect, test } from 'vitest'
import { noAction } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import type { Executor } from '../execute/execute.ts'
import { PostponedError } from '../execute/postponed.ts'
import { createOpenJobs } from './open-jobs.ts'
import type { QueuedJob } from './queue.ts'
import { createJobWork, nextStep } from './work.ts'

test.each([
  [
    'a job that postpones itself waits for the requested time',
    new PostponedError(7),
    false,
    'later',
  ],
  ['an expected failure ends the job', fail('not_found'), false, 'end'],
  ['a database that is away is waited for', fail('unavailable'), false, 'later'],
  ['a settlement with an unknown outcome is waited for', fail('payment_pending'), false, 'later'],
  ['a bug is retried', new TypeError('x'), false, 'retry'],
  ['a failure while the gateway stops is retried', fail('not_found'), true, 'retry'],
  ['a postponed job stays postponed while the gateway stops', new PostponedError(7), true, 'later'],
] as const)('%s', (_title, thrown, isStopping, kind) => {
  expect(nextStep(thrown, isStopping)).toMatchObject({ kind })
})

/** A job that is under way, of a new account with 1,000 micros. */
async function holdJob() {
  const { database, ledger } = await openLedger()
  const { accountId, keyId, balance } = await openAccount(database, ledger, 1_000)
  const callId = uuidv7(Date.now())
  const hold = { callId, accountId, keyId, action: 'test/job', micros: 10, lifetimeMs: 60_000 }
  await ledger.holdJob(hold, { input: '{}', atOnceMax: 3, enqueue: async () => {} })
  return { ledger, balance, callId, openJobs: createOpenJobs(database, ledger.gatewayNumber) }
}

test('a job of an action that another gateway has just begun to offer is run', async () => {
  const { ledger, balance, callId, openJobs } = await holdJob()
  let isKnown = false
  const executor = {
    shown: () => ({}),
    resolve() {
      if (!isKnown) throw noAction('test/job')
      return { action: {} }
    },
    execute: async () => ({ data: {}, output: '{}' }),
    catalogPrice: () => ({ fixedCents: 0.001 }),
  } as unknown as Executor
  const stopping = new AbortController().signal
  const { work } = createJobWork({
    executor,
    ledger,
    openJobs,
    queue: { sendLater: () => expect.fail('It is not postponed.') },
    async refreshOffers() {
      isKnown = true
    },
    wakeUrlOf: () => undefined,
    log,
    stopping,
  })
  await work(callId, new AbortController().signal)
  expect(await balance()).toEqual({ available: 990, held: 0 })
})

test('a job that is queued twice is run by one try at a time, and the other waits', async () => {
  const { ledger, balance, callId, openJobs } = await holdJob()
  const queued: QueuedJob[] = []
  const running = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let runs = 0
  const executor = {
    shown: () => ({}),
    resolve: () => ({ action: {} }),
    async execute() {
      runs += 1
      running.resolve()
      await answered.promise
      return { data: {}, output: '{}' }
    },
    catalogPrice: () => ({ fixedCents: 0.001 }),
  } as unknown as Executor
  const { work } = createJobWork({
    executor,
    ledger,
    openJobs,
    queue: { sendLater: async (job: QueuedJob) => void queued.push(job) },
    refreshOffers: async () => {},
    wakeUrlOf: () => undefined,
    log,
    stopping: new AbortController().signal,
  })
  const { signal } = new AbortController()
  const first = work(callId, signal)
  await running.promise
  await work(callId, signal)
  expect([runs, queued]).toEqual([1, [{ callId, savedBefore: 0 }]])
  answered.resolve()
  await first
  await work(callId, signal)
  expect(runs).toBe(1)
  expect(await balance()).toEqual({ available: 990, held: 0 })
})

test('a job that failed too often goes on if it has saved a part since, and ends without a charge otherwise', async () => {
  const { ledger, balance, callId, openJobs } = await holdJob()
  const queued: QueuedJob[] = []
  const queue = { sendLater: async (job: QueuedJob) => void queued.push(job) }
  const executor = {
    resolve: () => ({ action: {} }),
    shown: () => ({}),
  } as unknown as Executor
  const stopping = new AbortController().signal
  const { giveUp } = createJobWork({
    executor,
    ledger,
    openJobs,
    queue,
    refreshOffers: async () => {},
    wakeUrlOf: () => undefined,
    log,
    stopping,
  })

  await openJobs.save(callId, 'one', 1)
  const { signal } = new AbortController()
  await giveUp({ callId, savedBefore: 0 }, signal)
  expect(queued).toEqual([{ callId, savedBefore: 1 }])
  expect(await balance()).toEqual({ available: 990, held: 10 })

  // A part that replaces another is not a step forward.
  await openJobs.save(callId, 'one', 2)
  await giveUp({ callId, savedBefore: 1 }, signal)
  expect(queued).toHaveLength(1)
  expect(await balance()).toEqual({ available: 1_000, held: 0 })
})
