import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createOpenJobs } from './open-jobs.ts'

const nobody = 999_999

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
    ofNobody: createOpenJobs(database, nobody),
    jobs: createOpenJobs(database, ledger.gatewayNumber),
  }
}

test('a job whose gateway is gone is told of once: each time would put off its next try', async () => {
  const { callId, ofNobody, jobs } = await setUp()
  expect(await jobs.abandoned()).toEqual([])
  await ofNobody.take(callId)
  const told = await Promise.all([jobs.abandoned(), jobs.abandoned(), jobs.abandoned()])
  expect(told.flat()).toEqual([callId])
  expect(await jobs.abandoned()).toEqual([])
  // The next one to take it up may die as well.
  await ofNobody.take(callId)
  expect(await jobs.abandoned()).toEqual([callId])
  expect(await jobs.take(callId)).toMatchObject({ callId })
  expect(await jobs.abandoned()).toEqual([])
})
