import { describe, expect, test } from 'vitest'
import { adminToken, type Gateway, shareGateway, startGateway } from '#test/harness.ts'

const shared = shareGateway()

const operator = (gateway: Gateway) => (method: string, at: string, body?: unknown) =>
  gateway.request(method, `/api/v1/admin/${at}`, {
    key: adminToken,
    ...(body === undefined ? {} : { body }),
  })

describe('accounts', () => {
  test('are listed newest first in pages, found by name, id and key prefix, and read with their keys', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const names = ['Ada', 'Grace', 'Edsger']
    const opened = []
    for (const name of names)
      opened.push((await admin('POST', 'accounts', { name, balance_cents: 10 })).body)
    const pages: (string | null)[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await admin('GET', `accounts?limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(body.accounts.map(({ name }: { name: string | null }) => name))
      cursor = body.next_cursor
    }
    expect(pages[0]).toEqual(['Edsger', 'Grace'])
    expect(pages.flat().filter((name) => name !== null)).toEqual(['Edsger', 'Grace', 'Ada'])
    expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true)
    const [ada] = opened
    for (const search of ['ada', ada.account_id, ada.api_key.slice(0, 12)]) {
      const { body } = await admin('GET', `accounts?search=${search}`)
      expect(body.accounts).toMatchObject([{ account_id: ada.account_id, balance_cents: 10 }])
    }
    expect((await admin('GET', `accounts/${ada.account_id}`)).body.last_used_at).toBeNull()
    await gateway.call('test/echo', {}, { key: ada.api_key })
    await expect
      .poll(async () => (await admin('GET', `accounts/${ada.account_id}`)).body.last_used_at)
      .toEqual(expect.any(String))
    const { body: read } = await admin('GET', `accounts/${ada.account_id}`)
    expect(read).toMatchObject({
      name: 'Ada',
      available_cents: 8,
      live_keys: 1,
      key_prefixes: [ada.api_key.slice(0, 12)],
      keys: [{ prefix: ada.api_key.slice(0, 12), spending: { day: { spent_cents: 2 } } }],
    })
    expect(JSON.stringify(read)).not.toContain(ada.api_key)
    expect((await admin('GET', 'accounts/01970000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('of wallets have no balance that the operator can change: 404, and nothing is posted', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const [wallet] = await gateway.database.query<{ id: string }>(
      `select wallet_account(gen_random_uuid(), '0x00000000000000000000000000000000000000aa') as id`,
    )
    for (const change of ['credit', 'debit']) {
      const body = { amount_cents: 5, reason: 'mistaken for an account' }
      const reply = await admin('POST', `accounts/${wallet?.id}/${change}`, body)
      expect([reply.status, reply.body.error]).toEqual([404, 'not_found'])
    }
    const posted = 'select 1 from transfer where $1 in (debit, credit)'
    expect(await gateway.database.query(posted, [wallet?.id])).toEqual([])
  })

  test.each([
    ['POST', 'accounts/0000/credit'],
    ['POST', 'accounts/0000/debit'],
    ['POST', 'accounts/0000/freeze'],
    ['POST', 'accounts/0000/keys'],
    ['PATCH', 'accounts/0000/files'],
    ['PATCH', 'accounts/01970000-0000-7000-8000-000000000000/keys/none'],
    ['DELETE', 'accounts/0000/keys/none?descendants=all'],
    ['POST', 'purchases/none'],
  ])('with an id that cannot exist are 404, before the body is read: %s %s', async (method, at) => {
    const { status, body } = await operator(shared())(method, at, { nonsense: true })
    expect([status, body.error]).toEqual([404, 'not_found'])
  })

  test('receive keys, whose limits can change and which can be revoked', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const account = await gateway.account(10)
    const at = `accounts/${account.id}/keys`
    const issued = await admin('POST', at, { max_cents_per_day: 1 })
    expect(issued.status).toBe(201)
    const { api_key: key, key_id: keyId } = issued.body
    expect((await gateway.call('test/echo', {}, { key })).status).toBe(402)
    expect((await admin('PATCH', `${at}/${keyId}`, { max_cents_per_day: 5 })).status).toBe(200)
    expect((await gateway.call('test/echo', {}, { key })).status).toBe(200)
    expect((await admin('DELETE', `${at}/${keyId}`)).body).toEqual({
      key_id: keyId,
      revoked: true,
      also_revoked: [],
    })
    expect((await gateway.call('test/echo', {}, { key })).status).toBe(401)
    const stranger = await gateway.account(0)
    expect((await admin('DELETE', `accounts/${stranger.id}/keys/${keyId}`)).status).toBe(404)
  })

  test('are frozen and unfrozen: their keys are refused meanwhile, and a running call ends', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const account = await gateway.account(10)
    const running = account.call('test/slow', {})
    await gateway.provider.waiting(1)
    await admin('POST', `accounts/${account.id}/freeze`, { reason: 'stolen' })
    const refused = await account.call('test/echo', {})
    expect([refused.status, refused.body.error]).toEqual([403, 'account_frozen'])
    expect((await admin('GET', 'accounts?frozen=true')).body.accounts).toMatchObject([
      { account_id: account.id, frozen_reason: 'stolen' },
    ])
    gateway.provider.release()
    expect((await running).status).toBe(200)
    await admin('POST', `accounts/${account.id}/unfreeze`)
    expect((await account.call('test/echo', {})).status).toBe(200)
    expect((await admin('GET', 'accounts?frozen=true')).body.accounts).toEqual([])
  })
})

describe('the books', () => {
  test('list the transactions of all accounts in pages, filtered', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const [one, two] = [await gateway.account(0), await gateway.account(0)]
    const filters = [`account_id=${one.id}`, 'action=test/*', 'status=failed', 'type=credit']
    const counts = () =>
      Promise.all(
        filters.map(async (filter) => {
          const { body } = await admin('GET', `transactions?limit=100&${filter}`)
          expect(body.next_cursor).toBeNull()
          return body.transactions.length
        }),
      )
    const before = await counts()
    for (const { id } of [one, two])
      await admin('POST', `accounts/${id}/credit`, { amount_cents: 100, reason: 'gift' })
    await one.call('test/capped', { costs: 3 })
    await two.call('test/echo', {})
    await two.call('test/fails', { code: 'all_blocked' })
    const seen = []
    let cursor = ''
    do {
      const { body } = await admin('GET', `transactions?limit=2${cursor}`)
      seen.push(...body.transactions)
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    const own = seen.filter(({ account_id: id }) => [one.id, two.id].includes(id))
    expect(own).toMatchObject([
      { account_id: two.id, action: 'test/fails', status: 'failed' },
      { account_id: two.id, action: 'test/echo', cost_usd: null },
      { account_id: one.id, action: 'test/capped', charged_cents: 3, cost_usd: '0.030000' },
      { account_id: two.id, type: 'credit' },
      { account_id: one.id, type: 'credit' },
    ])
    const [ofOne = 0, ofTest = 0, failed = 0, credits = 0] = before
    expect(await counts()).toEqual([ofOne + 2, ofTest + 3, failed + 1, credits + 2])
    expect((await admin('GET', 'transactions?colour=red')).status).toBe(400)
  })

  test('return each row of the list by its id', async () => {
    const gateway = shared()
    const admin = operator(gateway)
    const account = await gateway.account(100)
    await account.call('test/capped', { costs: 3 })
    await account.call('test/fails', { code: 'all_blocked' })
    await admin('POST', `accounts/${account.id}/debit`, { amount_cents: 5, reason: 'mistake' })
    const { transactions } = (await admin('GET', `transactions?account_id=${account.id}`)).body
    expect(transactions.map(({ type }: { type: string }) => type)).toEqual([
      'debit',
      'call',
      'call',
      'credit',
    ])
    for (const row of transactions) {
      const { status, body } = await admin('GET', `transactions/${row.transaction_id}`)
      expect([status, body]).toMatchObject([200, row])
      expect(body.payments).toEqual([])
    }
    expect((await admin('GET', 'transactions/nothing')).status).toBe(404)
  })

  test('show how each action and provider does, to callers without the numbers of calls', async () => {
    const gateway = await startGateway()
    const admin = operator(gateway)
    const account = await gateway.account(1_000)
    await account.call('test/capped', { costs: 4 })
    for (let times = 0; times < 5; times += 1)
      await account.call('test/fails', { code: 'upstream_error' })
    const { body } = await admin('GET', 'actions')
    const byName = (rows: { action: string }[], name: string) =>
      rows.find(({ action }) => action === name)
    expect(byName(body.actions, 'test/fails')).toMatchObject({
      status: 'failing',
      calls: 5,
      failed_calls: 5,
      errors: [{ error: 'upstream_error', calls: 5 }],
      p50_ms: null,
    })
    expect(byName(body.actions, 'test/capped')).toMatchObject({ status: 'unknown', calls: 1 })
    expect(body.actions).toContainEqual(
      expect.objectContaining({ status: 'unavailable', reason: expect.any(String) }),
    )
    const told = await account.get('/api/v1/health')
    expect(byName(told.body.actions, 'test/fails')).toEqual({
      action: 'test/fails',
      status: 'failing',
      p50_ms: null,
      p95_ms: null,
    })
    expect((await gateway.request('GET', '/api/v1/health')).status).toBe(401)
    const { providers } = (await admin('GET', 'providers')).body
    const test = providers.find(({ service }: { service: string }) => service === 'test')
    expect(test.last_30_days).toMatchObject({
      calls: 6,
      failed_calls: 5,
      known_cost_usd: '0.040000',
      charged_less_known_cost_usd: '0.000000',
    })
    const failed = await admin('GET', 'transactions?status=failed&action=test/*&limit=1')
    expect(failed.body.transactions).toMatchObject([{ error: 'upstream_error' }])
    expect((await admin('GET', 'payments')).body).toMatchObject({ open_payments: [] })
  })

  test('return the revenue by day, service and action, equal to the postings', async () => {
    const gateway = await startGateway()
    const admin = operator(gateway)
    const account = await gateway.account(1_000)
    await account.call('test/capped', { costs: 3.5 })
    await account.call('test/capped', { costs: 4 })
    await account.call('test/echo', {})
    await account.call('test/fails', { code: 'all_blocked' })
    const { body } = await admin('GET', 'revenue?by=day,action')
    const today = new Date().toISOString().slice(0, 10)
    expect(body.rows).toMatchObject([
      {
        day: expect.any(String),
        action: 'test/capped',
        calls: 2,
        charged_usd: '0.075000',
        known_cost_usd: '0.075000',
        calls_with_known_cost: 2,
        charged_less_known_cost_usd: '0.000000',
      },
      { action: 'test/echo', calls: 1, charged_usd: '0.020000', calls_with_known_cost: 0 },
      { action: 'test/fails', calls: 1, failed_calls: 1, charged_usd: '0.000000' },
    ])
    expect(body.rows[0].day <= today).toBe(true)
    expect(body.rows[0]).not.toHaveProperty('p50_ms')
    const csv = (await admin('GET', 'revenue.csv?by=day,action')).body as string
    const [head = '', ...lines] = csv.trimEnd().split('\r\n')
    const names = head.split(',')
    expect(names.slice(0, 3)).toEqual(['day', 'action', 'calls'])
    expect(lines.map((line) => line.split(','))).toEqual(
      body.rows.map((row: Record<string, unknown>) => names.map((name) => String(row[name]))),
    )
    const byError = await admin('GET', 'revenue?by=error&time_zone=Asia/Kolkata')
    expect(byError.body.rows).toMatchObject([
      { error: null, calls: 3, failed_calls: 0 },
      { error: 'all_blocked', calls: 1, failed_calls: 1, charged_usd: '0.000000' },
    ])
    const [posted] = await gateway.database.query<{ micros: number }>(
      `select sum(amount)::bigint as micros from posting where account_id = '00000000-0000-7000-8000-000000000001'`,
    )
    expect(Math.round(Number(body.total.charged_usd) * 1e6)).toBe(posted?.micros)
    expect((await admin('GET', 'revenue?by=service')).body.rows).toMatchObject([
      { service: 'test', calls: 4, charged_usd: '0.095000', p50_ms: expect.any(Number) },
    ])
    expect((await admin('GET', 'revenue?from=2100-01-01T00:00:00Z')).status).toBe(400)
    expect((await admin('GET', 'revenue?by=colour')).status).toBe(400)
    expect((await admin('GET', 'revenue?time_zone=Europe/Atlantis')).body).toMatchObject({
      error: 'bad_request',
      message: expect.stringContaining('time_zone'),
    })
  })
})
