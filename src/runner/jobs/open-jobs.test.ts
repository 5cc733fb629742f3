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
  return {
    callId,
    ofGoneGateway: createOpenJobs(database, goneGateway),
    jobs: createOpenJobs(database, ledger.gatewayNumber),
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
