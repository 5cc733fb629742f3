import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createOpenJobs } from './open-jobs.ts'

const goneGateway = 999_999

async function setUp() {
  const { database, ledger } = await openLedger()
  const { accountId, keyId } = await openAccount(database, ledger, 1_000)
  const callId = uuidv7(Date.now())
  const hold = {
    callId,
    accountId,
    keyId,
    action: 'test/job',
    micros: 10,
    lifetimeMs: 60_000,
  }
  await ledger.holdJob(hold, { input: '{}', atOnceMax: 3, enqueue: async () => {} })
  const openJobs = () => createOpenJobs(database, ledger.gatewayNumber)
  return {
    callId,
    ofGoneGateway: createOpenJobs(database, goneGateway),
    openJobs,
    jobs: openJobs(),
  }
}

test('the job of a dead gateway is listed once, since each listing delays its next try', async () => {
  const { callId, ofGoneGateway, jobs } = await setUp()
  expect(await jobs.abandoned()).toEqual([])
  await ofGoneGateway.take(callId)
  const told = await Promise.all([jobs.abandoned(), jobs.abandoned(), jobs.abandoned()])
  expect(told.flat()).toEqual([callId])
  expect(await jobs.abandoned()).toEqual([])
  // The next gateway may die too.
  await ofGoneGateway.take(callId)
  expect(await jobs.abandoned()).toEqual([callId])
  expect(await jobs.take(callId)).toMatchObject({ callId })
  expect(await jobs.abandoned()).toEqual([])
})

test('a job is at work from its take until it is left, or its gateway is gone', async () => {
  const { callId, ofGoneGateway, jobs, openJobs } = await setUp()
  const elsewhere = openJobs()
  await ofGoneGateway.take(callId)
  expect(await jobs.take(callId)).toMatchObject({ isAtWork: false })
  expect(await jobs.take(callId)).toMatchObject({ isAtWork: true })
  expect(await elsewhere.take(callId)).toMatchObject({ isAtWork: true })
  // It is not theirs, so this changes nothing.
  await jobs.leaveForgotten()
  expect(await elsewhere.take(callId)).toMatchObject({ isAtWork: true })
  await jobs.leave(callId)
  expect(await elsewhere.take(callId)).toMatchObject({ isAtWork: false })
})

test('a job whose end the database did not hear of is at work no longer', async () => {
  const { callId, jobs, openJobs } = await setUp()
  await jobs.take(callId)
  const restarted = openJobs()
  await restarted.leaveForgotten()
  expect(await restarted.take(callId)).toMatchObject({ isAtWork: false })
})
