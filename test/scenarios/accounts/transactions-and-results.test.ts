import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

describe('usage', () => {
  test('sums what an account has spent by day, action and key; a limited key sees its own part', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const limited = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 50 },
    })
    const { api_key: key, key_id: keyId } = limited.body
    await account.call('test/echo', {})
    await account.call('test/fails', { code: 'crash' })
    await gateway.call('test/capped', { costs: 3.5 }, { key })
    const { body } = await account.get('/api/v1/usage?by=action&time_zone=America/New_York')
    expect(body).toMatchObject({
      time_zone: 'America/New_York',
      rows: [
        { action: 'test/capped', calls: 1, charged_cents: 4, charged_usd: '0.035000' },
        { action: 'test/echo', calls: 1, failed_calls: 0, charged_usd: '0.020000' },
        { action: 'test/fails', calls: 1, failed_calls: 1, charged_usd: '0.000000' },
      ],
      total: { calls: 3, failed_calls: 1, charged_usd: '0.055000', refunded_usd: '0.000000' },
    })
    // What the operator pays for a call is not the caller's to know.
    expect(JSON.stringify(body)).not.toContain('cost')
    const own = await gateway.request('GET', '/api/v1/usage?by=key', { key })
    expect(own.body.rows).toMatchObject([{ key_id: keyId, charged_usd: '0.035000' }])
    const today = await account.get('/api/v1/usage?by=day,key')
    expect(today.body.rows).toHaveLength(2)
    expect((await account.get('/api/v1/usage?by=error')).status).toBe(400)
    expect((await account.get('/api/v1/usage?time_zone=Mars/Olympus')).status).toBe(400)
  })
})

describe('transactions', () => {
  test('are listed newest first, in pages, and filtered', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    for (const text of ['1', '2', '3']) await account.call('test/echo', { text })
    await account.call('test/fails', { code: 'crash' })
    const first = await account.get('/api/v1/transactions?limit=3')
    expect(first.body.transactions.map((row: { status: string }) => row.status)).toEqual([
      'failed',
      'succeeded',
      'succeeded',
    ])
    const second = await account.get(
      `/api/v1/transactions?limit=3&cursor=${first.body.next_cursor}`,
    )
    // The first call, and the opening balance.
    expect(second.body.transactions).toHaveLength(2)
    expect(second.body.next_cursor).toBeNull()
    const failed = await account.get('/api/v1/transactions?status=failed')
    expect(failed.body.transactions).toMatchObject([
      { action: 'test/fails', error: 'upstream_error', charged_cents: 0 },
    ])
    const none = await account.get('/api/v1/transactions?action=test/rows')
    expect(none.body).toEqual({ transactions: [], next_cursor: null })
    expect((await account.get('/api/v1/transactions?limit=1000')).status).toBe(400)
    expect((await account.get('/api/v1/transactions?colour=red')).status).toBe(400)
  })

  test('one has its timeline and output', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const { body } = await account.call('test/capped', { costs: 3 })
    const one = await account.get(`/api/v1/transactions/${body.transaction_id}`)
    expect(one.body).toMatchObject({
      transaction_id: body.transaction_id,
      action: 'test/capped',
      status: 'succeeded',
      charged_cents: 3,
      output: { cost: 3 },
      output_until: expect.any(String),
      timeline: [
        { event: 'hold', amount_cents: 25 },
        { event: 'settle', amount_cents: 3 },
      ],
    })
  })

  test('belong to their account: others read 404', async () => {
    const gateway = shared()
    const [owner, stranger] = [await gateway.account(100), await gateway.account(100)]
    const { body } = await owner.call('test/echo', {})
    expect((await stranger.get(`/api/v1/transactions/${body.transaction_id}`)).status).toBe(404)
    const read = await stranger.call('tollway/result', { transaction_id: body.transaction_id })
    expect(read.status).toBe(404)
    expect((await stranger.get('/api/v1/transactions?type=call')).body.transactions).toEqual([])
    expect((await owner.get('/api/v1/transactions/not-an-id')).status).toBe(404)
  })
})

describe('{own_ns}/result', () => {
  test('replays a stored output, free', async () => {
    const gateway = shared()
    const account = await gateway.account(2)
    const { body } = await account.call('test/echo', { text: 'keep me' })
    const again = await account.call('tollway/result', { transaction_id: body.transaction_id })
    expect(again.body).toMatchObject({
      ok: true,
      data: {
        ok: true,
        transaction_id: body.transaction_id,
        status: 'succeeded',
        result: { echo: 'keep me' },
        charged_cents: 2,
      },
      charged_cents: 0,
    })
    expect(await account.state()).toMatchObject({ transactions: 1 })
  })

  test('returns the error of a failed call', async () => {
    const gateway = shared()
    const account = await gateway.account(2)
    await account.call('test/fails', { code: 'all_blocked' })
    const { body } = await account.get('/api/v1/transactions')
    const read = await account.call('tollway/result', {
      transaction_id: body.transactions[0].transaction_id,
    })
    expect(read.body.data).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'all_blocked',
      charged_cents: 0,
    })
  })

  test('waits for a running call', async () => {
    const gateway = shared()
    const account = await gateway.account(2)
    const running = account.call('test/slow', {})
    await gateway.provider.waiting(1)
    const { body: page } = await account.get('/api/v1/transactions?status=running')
    const id = page.transactions[0].transaction_id
    const now = await account.call('tollway/result', { transaction_id: id })
    expect(now.body.data).toMatchObject({ ok: true, status: 'running', charged_cents: 0 })
    const waiting = account.call('tollway/result', { transaction_id: id, wait_seconds: 20 })
    gateway.provider.release()
    expect((await waiting).body.data).toMatchObject({
      status: 'succeeded',
      result: { echo: 'hello' },
    })
    await running
  })

  test.each([
    { title: 'neither id', body: {} },
    {
      title: 'both ids',
      body: {
        transaction_id: '01970000-0000-7000-8000-000000000000',
        job_id: '01970000-0000-7000-8000-000000000000',
      },
    },
    { title: 'no uuid', body: { transaction_id: '7' } },
    {
      title: 'a long wait',
      body: { transaction_id: '01970000-0000-7000-8000-000000000000', wait_seconds: 51 },
    },
  ])('refuses $title: 400', async ({ body }) => {
    const gateway = shared()
    const account = await gateway.account(0)
    expect((await account.call('tollway/result', body)).status).toBe(400)
  })

  test('requires a credential: 401 without one', async () => {
    const gateway = shared()
    const reply = await gateway.call('tollway/result', {
      transaction_id: '01970000-0000-7000-8000-000000000000',
    })
    expect(reply.status).toBe(401)
  })
})
