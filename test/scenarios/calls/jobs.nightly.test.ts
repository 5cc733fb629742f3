// Calls that outlive their request: queued with their hold, worked on, charged once, polled for free.
import { describe, expect, onTestFinished, test } from 'vitest'
import { shareGatewayOfWorker, startGateway, type TestAccount, verify } from '#test/harness.ts'

const poll = (account: TestAccount, jobId: string, waitSeconds = 20) =>
  account.call('tollway/result', { job_id: jobId, wait_seconds: waitSeconds })

async function submit(account: TestAccount, body: object, headers?: Record<string, string>) {
  const { body: answer } = await account.call('test/job', body, headers)
  return answer.data.job_id as string
}

const shared = shareGatewayOfWorker()

describe('a job', () => {
  test('answers with its handle, holds its budget, is polled for free and charged its cost', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const { status, body } = await account.call('test/job', { steps: 3 })
    expect(status).toBe(200)
    expect(body).toEqual({
      ok: true,
      data: { job_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued', async: true },
      charged_cents: 0,
      charged_usd: '0.000000',
      balance_remaining_cents: 7,
      balance_remaining_usd: '0.070000',
    })
    const polled = await poll(account, body.data.job_id)
    expect(polled.body).toMatchObject({
      ok: true,
      data: {
        ok: true,
        job_id: body.data.job_id,
        status: 'succeeded',
        result: { spent_cents: 2.5 },
        charged_cents: 3,
        charged_usd: '0.025000',
      },
      charged_cents: 0,
    })
    expect(await account.state()).toEqual({ availableCents: 7, heldCents: 0, transactions: 1 })
    expect((await poll(account, body.data.job_id)).body.data).toEqual(polled.body.data)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('reports its progress while it runs', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const id = await submit(account, { steps: 4, ends: 'gate' })
    await gateway.provider.waiting(1)
    expect((await poll(account, id, 0)).body.data).toEqual({
      ok: true,
      job_id: id,
      action: 'test/job',
      status: 'running',
      progress: { phase: 'stepping', percent: 75, done: 3, total: 4 },
      charged_cents: 0,
      charged_usd: '0.000000',
    })
    gateway.provider.release()
    expect((await poll(account, id)).body.data).toMatchObject({ status: 'succeeded' })
  })

  test('that fails with an expected error is free at once and reports the error', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const id = await submit(account, { ends: 'failed' })
    expect((await poll(account, id)).body.data).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'all_blocked',
      result: { rows: [] },
      charged_cents: 0,
    })
    expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
  })

  test('above the balance is 402 credits_required, and not queued', async () => {
    const gateway = shared()
    const account = await gateway.account(2)
    const withoutCall = `select id from queue.job where name = 'calls' and id not in (select id from call)`
    const before = await gateway.database.query(withoutCall)
    const reply = await account.call('test/job', { steps: 3 })
    expect(reply.status).toBe(402)
    expect(reply.body.error).toBe('credits_required')
    expect(await gateway.database.query(withoutCall)).toEqual(before)
    expect(await account.state()).toEqual({ availableCents: 2, heldCents: 0, transactions: 0 })
  })

  test('beyond three at once is 429 too_many_inflight; other calls and accounts are not affected', async () => {
    const gateway = shared()
    const [account, other] = [await gateway.account(100), await gateway.account(100)]
    const ids = await Promise.all([1, 2, 3].map(() => submit(account, { ends: 'gate' })))
    const fourth = await account.call('test/job', {})
    expect(fourth.status).toBe(429)
    expect(fourth.body.error).toBe('too_many_inflight')
    expect((await account.call('test/echo', {})).status).toBe(200)
    const others = await other.call('test/job', {})
    expect(others.status).toBe(200)
    gateway.provider.release()
    for (const id of ids) expect((await poll(account, id)).body.data.status).toBe('succeeded')
    const next = await account.call('test/job', {})
    expect(next.status).toBe(200)
    await poll(account, next.body.data.job_id)
    await poll(other, others.body.data.job_id)
  })

  test('belongs to its account: others read 404', async () => {
    const gateway = shared()
    const [owner, stranger] = [await gateway.account(10), await gateway.account(10)]
    const id = await submit(owner, {})
    expect((await poll(stranger, id, 0)).status).toBe(404)
    expect((await poll(owner, id)).status).toBe(200)
  })

  test('with an Idempotency-Key is one job, whether it runs or has ended', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const key = { 'idempotency-key': 'crawl-1' }
    const id = await submit(account, { ends: 'gate' }, key)
    const again = await account.call('test/job', { ends: 'gate' }, key)
    expect(again.body.data).toEqual({ job_id: id, status: 'queued', async: true })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    gateway.provider.release()
    await poll(account, id)
    expect(await submit(account, { ends: 'gate' }, key)).toBe(id)
    expect(await account.state()).toMatchObject({ transactions: 1 })
  })
})

describe('an action that is a job for some inputs only', () => {
  test('answers quick work in the response, and other work with a handle, at exact prices', async () => {
    const gateway = shared()
    const account = await gateway.account(20)
    const quick = await account.call('test/either', { cents: 3 })
    expect(quick.body).toMatchObject({ data: { echo: 'at once' }, charged_cents: 3 })
    const slow = await account.call('test/either', { cents: 4.5, later: true })
    expect(slow.body).toMatchObject({
      data: { status: 'queued', async: true },
      charged_cents: 0,
      balance_remaining_usd: '0.125000',
    })
    expect((await poll(account, slow.body.data.job_id)).body.data).toMatchObject({
      status: 'succeeded',
      result: { echo: 'later' },
      charged_usd: '0.045000',
    })
    expect((await account.call('test/either', { cents: 50, later: true })).status).toBe(402)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('does the steps of another job, each once although the job is postponed', async () => {
    const gateway = shared()
    const account = await gateway.account(20)
    const { body } = await account.call('test/stepwise', {})
    expect((await poll(account, body.data.job_id)).body.data).toMatchObject({
      status: 'succeeded',
      result: { echoes: ['later', 'later'] },
      charged_cents: 5,
    })
    expect(gateway.provider.asked).toEqual([
      { cents: 1, later: false },
      { cents: 2, later: false },
    ])
    const { body: row } = await account.get(`/api/v1/transactions/${body.data.job_id}`)
    expect(row.timeline).toMatchObject([
      { event: 'hold' },
      { event: 'hop', action: 'either', ok: true, charged_cents: 1 },
      { event: 'hop', action: 'either', ok: true, charged_cents: 2 },
      { event: 'settle', amount_cents: 5 },
    ])
    // What the step of an earlier try has cost is counted too.
    expect(
      await gateway.database.query('select cost from call where account_id = $1', [account.id]),
    ).toEqual([{ cost: 3_000 }])
  })
})

describe('a worker', () => {
  test('that stops hands its job to another gateway, which continues from the checkpoint', async () => {
    const one = await startGateway()
    const account = await one.account(10)
    const id = await submit(account, { steps: 3, ends: 'gate' })
    await one.provider.waiting(1)
    const two = await startGateway({ databaseUrl: one.databaseUrl })
    two.provider.release()
    await one.close()
    const polled = await two.call(
      'tollway/result',
      { job_id: id, wait_seconds: 30 },
      { key: account.key },
    )
    expect(polled.body.data).toMatchObject({ status: 'succeeded', charged_cents: 3 })
    expect(one.provider.asked).toEqual([0, 1, 2])
    expect(two.provider.asked).toEqual([])
    expect(await verify(two)).toMatchObject({ ok: true })
  })

  test('stops a job whose hold has ended at its next report', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const id = await submit(account, { steps: 1, ends: 'never' })
    await expect
      .poll(async () => (await poll(account, id, 0)).body.data.progress?.phase)
      .toBe('waiting')
    await gateway.database.query('update call set expires_at = now() where id = $1', [id])
    expect((await poll(account, id, 50)).body.data).toMatchObject({
      ok: false,
      status: 'failed',
      charged_cents: 0,
    })
    await expect.poll(() => gateway.provider.asked).toEqual([0, 'stopped'])
    expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('abandons a job that crashes each time, and charges nothing', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const id = await submit(account, { ends: 'crash' })
    const polled = await poll(account, id, 50)
    expect(polled.body.data).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'upstream_error',
      charged_cents: 0,
    })
    expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('resumes a job after the database was unavailable for a moment, and charges it once', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    // A sequence counts outside of transactions: the first write of a checkpoint meets a server that shuts down.
    await gateway.database.query('create sequence refusals')
    await gateway.database.query(
      `create function refuse_once() returns trigger language plpgsql as $$
       begin if nextval('refusals') = 1 then raise 'going away' using errcode = '57P01'; end if; return new; end $$`,
    )
    await gateway.database.query(
      'create trigger refuse_once before insert on checkpoint for each row execute function refuse_once()',
    )
    onTestFinished(async () => {
      await gateway.database.query('drop function refuse_once cascade')
      await gateway.database.query('drop sequence refusals')
    })
    const id = await submit(account, { steps: 3 })
    const polled = await poll(account, id, 50)
    expect(polled.body.data).toMatchObject({ ok: true, status: 'succeeded', charged_cents: 3 })
    expect(await account.state()).toMatchObject({ availableCents: 7, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })
})
