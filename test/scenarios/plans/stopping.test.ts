// Jobs that end before all their work is done: cancelled by their caller, or given up.
import { describe, expect, test } from 'vitest'
import { shareGateway, type TestAccount, verify } from '#test/harness.ts'

const gateway = shareGateway()
const oneJob = shareGateway({ env: { JOBS_AT_ONCE: '1' } })
const often = { interval: 50 }

const echo = (id: string, after: readonly string[] = []) => ({
  id,
  action: 'test/echo',
  params: { text: id },
  after,
})
const slow = { id: 'slow', action: 'test/slow', after: ['first'] }

const poll = async (account: TestAccount, job_id: string, wait_seconds = 20) =>
  (await account.call('tollway/result', { job_id, wait_seconds })).body.data

const cancel = (account: TestAccount, job_id: string) => account.call('tollway/cancel', { job_id })

/** A plan whose first step has been delivered and whose second one runs. */
async function startPlan(of = gateway()) {
  const account = await of.account(100)
  const steps = [echo('first'), slow, echo('last', ['slow'])]
  const { body } = await account.call('tollway/run-plan', { steps, max_cost_cents: 50 })
  await of.provider.waiting(1)
  return { account, jobId: body.data.job_id as string }
}

const statuses = (answer: { result: { steps: { status: string; error?: string }[] } }) =>
  answer.result.steps.map(({ status, error }) => error ?? status)

describe('a plan that is cancelled', () => {
  test('lets steps under way end, starts no other one, and charges what was delivered', async () => {
    const { account, jobId } = await startPlan()
    for (const _twice of [1, 2])
      expect(await cancel(account, jobId)).toMatchObject({
        body: { data: { job_id: jobId, status: 'stopping' } },
      })
    gateway().provider.release()
    const answer = await poll(account, jobId)
    expect(answer).toMatchObject({ status: 'succeeded', result: { status: 'cancelled' } })
    expect(statuses(answer)).toEqual(['succeeded', 'succeeded', 'cancelled'])
    expect(answer).toMatchObject({ charged_cents: 4, result: { spent_cents: 4 } })
    expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
    expect((await cancel(account, jobId)).body.data.status).toBe('ended')
    expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
  })
})

describe('a job', () => {
  test('that waits for a worker is cancelled at once and is free', async () => {
    const busy = oneJob()
    const { account } = await startPlan(busy)
    const batch = { calls: [{ action: 'test/echo', params: { text: 'x' } }], max_cost_cents: 5 }
    const waiting = (await account.call('tollway/batch', batch)).body.data.job_id
    expect((await cancel(account, waiting)).body.data.status).toBe('cancelled')
    expect(await poll(account, waiting, 0)).toMatchObject({
      status: 'failed',
      error: 'cancelled',
      charged_cents: 0,
    })
    busy.provider.release()
  })

  test('that cannot stop early is not cancelled once it has begun', async () => {
    const account = await gateway().account(100)
    const { body } = await account.call('test/job', { steps: 1, ends: 'never' })
    const { job_id: jobId } = body.data
    await expect.poll(async () => (await poll(account, jobId, 0)).progress, often).toBeDefined()
    expect(await cancel(account, jobId)).toMatchObject({
      status: 409,
      body: { error: 'job_begun' },
    })
    expect((await poll(account, jobId, 0)).status).toBe('running')
  })

  test('of another account is not found', async () => {
    const other = await gateway().account(0)
    const { body } = await (await gateway().account(10)).call('test/echo', { text: 'no job' })
    for (const id of [body.transaction_id, '01970000-0000-7000-8000-000000000000'])
      expect(await cancel(other, id)).toMatchObject({ status: 404 })
  })
})

describe('a job whose key ends', () => {
  /** Submits a job with a key of its own. Resolves to its id, and how the key is revoked. */
  async function submit(account: TestAccount, action: string, body: object, of = gateway()) {
    const made = await of.request('POST', '/api/v1/keys', { key: account.key, body: {} })
    const { api_key: key, key_id: keyId } = made.body
    const submitted = await of.call(action, body, { key })
    return {
      jobId: submitted.body.data.job_id as string,
      revoke: () => of.request('DELETE', `/api/v1/keys/${keyId}`, { key: account.key }),
    }
  }

  test('starts no further step, and is charged what it has delivered', async () => {
    const account = await gateway().account(100)
    const body = { steps: [echo('first'), slow, echo('last', ['slow'])], max_cost_cents: 50 }
    const { jobId, revoke } = await submit(account, 'tollway/run-plan', body)
    await gateway().provider.waiting(1)
    await revoke()
    gateway().provider.release()
    const answer = await poll(account, jobId)
    expect(statuses(answer)).toEqual(['succeeded', 'succeeded', 'cancelled'])
    expect(answer).toMatchObject({ charged_cents: 4, result: { status: 'cancelled' } })
    expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
  })

  test('does not begin, and is free', async () => {
    const busy = oneJob()
    const { account } = await startPlan(busy)
    // One that could not be stopped later.
    const { jobId, revoke } = await submit(account, 'test/job', { steps: 1 }, busy)
    await revoke()
    busy.provider.release()
    expect(await poll(account, jobId)).toMatchObject({ status: 'failed', error: 'cancelled' })
    expect(await poll(account, jobId)).toMatchObject({ charged_cents: 0 })
  })
})

test('a plan that fails too often is charged what it has delivered, and the rest returns', async () => {
  const own = gateway()
  const { account, jobId } = await startPlan(own)
  await expect.poll(async () => (await poll(account, jobId, 0)).progress?.done, often).toBe(1)
  // What the queue does after the last try.
  await own.database.query(`insert into queue.job (name, data) values ('calls-exhausted', $1)`, [
    JSON.stringify({ callId: jobId, savedBefore: 100 }),
  ])
  const answer = await poll(account, jobId)
  expect(answer).toMatchObject({ status: 'succeeded', result: { status: 'stopped' } })
  expect(statuses(answer)).toEqual(['succeeded', 'upstream_error', 'cancelled'])
  expect(answer.charged_cents).toBe(2)
  expect(await account.state()).toMatchObject({ availableCents: 98, heldCents: 0 })
  own.provider.release()
  expect(await verify(own)).toMatchObject({ ok: true, problems: [] })
})
