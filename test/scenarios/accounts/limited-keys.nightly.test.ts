import { describe, expect, test } from 'vitest'
import { adminToken, type Gateway, shareGateway, type TestAccount } from '#test/harness.ts'
import { chat, shareLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()
const second = shareGateway(() => ({ databaseUrl: shared().databaseUrl }))

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function newKey(gateway: Gateway, account: TestAccount, policy: object = {}) {
  const { status, body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: policy,
  })
  expect(status).toBe(201)
  const key: string = body.api_key
  return {
    id: body.key_id as string,
    key,
    request: (method: string, at: string, sent?: unknown) =>
      gateway.request(method, at, { key, ...(sent === undefined ? {} : { body: sent }) }),
    call: (action: string, sent: unknown, headers: Record<string, string> = {}) =>
      gateway.call(action, sent, { key, headers }),
  }
}

const limits = [
  { title: 'a limit per call', policy: { max_cents_per_call: 50 } },
  { title: 'a limit per day', policy: { max_cents_per_day: 50 } },
  { title: 'a limit per month', policy: { max_cents_per_month: 50 } },
  { title: 'a list of actions', policy: { actions: ['test/*'] } },
  { title: 'an end', policy: { expires_at: inAnHour() } },
]

describe('a key with limits', () => {
  test.each(limits)('$title: manages no key, not even itself', async ({ policy }) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const other = await newKey(gateway, account)
    const limited = await newKey(gateway, account, policy)
    const refused = [
      await limited.request('POST', '/api/v1/keys', {}),
      await limited.request('POST', '/api/v1/keys', policy),
      await limited.request('PATCH', `/api/v1/keys/${limited.id}`, { max_cents_per_call: null }),
      await limited.request('PATCH', `/api/v1/keys/${other.id}`, { name: 'mine' }),
      await limited.request('DELETE', `/api/v1/keys/${other.id}`),
    ]
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [403, 'forbidden']),
    )
    const listed = await limited.request('GET', '/api/v1/keys')
    expect(listed.body.keys.map((row: { key_id: string }) => row.key_id)).toEqual([limited.id])
    expect((await limited.request('GET', `/api/v1/keys/${limited.id}`)).status).toBe(200)
    expect((await limited.request('GET', `/api/v1/keys/${other.id}`)).status).toBe(404)
    const all = await account.get('/api/v1/keys')
    expect(all.body.keys).toHaveLength(3)
    expect((await other.call('test/echo', {})).status).toBe(200)
  })

  test('reads its own transactions and outputs, and no others', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const limited = await newKey(gateway, account, { actions: ['test/*'] })
    const theirs = await account.call('test/echo', { text: 'private' })
    const own = await limited.call('test/echo', { text: 'own' })
    const listed = await limited.request('GET', '/api/v1/transactions')
    expect(
      listed.body.transactions.map((row: { transaction_id: string }) => row.transaction_id),
    ).toEqual([own.body.transaction_id])
    const read = async (id: string) => [
      (await limited.request('GET', `/api/v1/transactions/${id}`)).status,
      (await limited.call('tollway/result', { transaction_id: id })).status,
    ]
    expect(await read(own.body.transaction_id)).toEqual([200, 200])
    expect(await read(theirs.body.transaction_id)).toEqual([404, 404])
    // The account's unlimited key reads both.
    const all = await account.get('/api/v1/transactions?action=test/echo')
    expect(all.body.transactions).toHaveLength(2)
    expect(
      (await account.call('tollway/result', { transaction_id: own.body.transaction_id })).status,
    ).toBe(200)
  })

  test('sees only its own holds and running calls', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const limited = await newKey(gateway, account, { max_cents_per_day: 50 })
    const running = account.call('test/slow', {})
    await gateway.provider.waiting(1)
    const seen = await limited.request('GET', '/api/v1/account')
    expect(seen.body).toMatchObject({
      available_cents: 98,
      held_cents: 0,
      calls_in_flight: 0,
      key: { key_id: limited.id },
    })
    const whole = await account.get('/api/v1/account')
    expect(whole.body).toMatchObject({ available_cents: 98, held_cents: 2, calls_in_flight: 1 })
    gateway.provider.release()
    await running
  })

  test('does not poll the job of another key', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const limited = await newKey(gateway, account, { max_cents_per_day: 50 })
    const submitted = await account.call('test/job', {})
    const { job_id } = submitted.body.data
    expect((await limited.call('tollway/result', { job_id })).status).toBe(404)
    expect((await account.call('tollway/result', { job_id })).status).toBe(200)
  })

  test('does not receive an answer that another key has paid for under the same Idempotency-Key', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const elsewhere = await newKey(gateway, account, { actions: ['ns_scholar/*'] })
    const limited = await newKey(gateway, account, { max_cents_per_day: 50 })
    const header = { 'idempotency-key': 'order-1' }
    await account.call('test/echo', { text: 'private' }, header)
    for (const key of [elsewhere, limited]) {
      const reply = await key.call('test/echo', { text: 'private' }, header)
      expect([reply.status, reply.body.error]).toEqual([422, 'idempotency_key_reused'])
      const quoted = await gateway.request('POST', '/api/run/test/echo?quote=true', {
        key: key.key,
        headers: header,
        body: { text: 'private' },
      })
      expect(quoted.body.data.replays).toBeUndefined()
    }
    const own = { 'idempotency-key': 'order-2' }
    await limited.call('test/echo', { text: 'own' }, own)
    const replayed = await limited.call('test/echo', { text: 'own' }, own)
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    // The unlimited key repeats the call of any key of its account.
    expect(
      (await account.call('test/echo', { text: 'own' }, own)).headers.get('idempotency-replayed'),
    ).toBe('true')
    expect(await account.state()).toMatchObject({ availableCents: 96 })
  })
})

describe('a key that is revoked or expired, or of a frozen account', () => {
  const routes = [
    ['GET', '/api/v1/account'],
    ['GET', '/api/v1/keys'],
    ['GET', '/api/v1/transactions'],
    ['POST', '/api/run/test/free'],
    ['POST', '/api/run/test/echo'],
    ['POST', '/api/run/test/echo?quote=true'],
    ['POST', '/api/run/tollway/discover'],
    ['POST', '/api/llm/v1/chat/completions'],
    ['GET', '/api/run'],
  ] as const

  const endings = [
    {
      title: 'revoked',
      status: 401,
      end: (gateway: Gateway, account: TestAccount, keyId: string) =>
        gateway.request('DELETE', `/api/v1/keys/${keyId}`, { key: account.key }),
    },
    {
      title: 'ended',
      status: 401,
      async end(gateway: Gateway, account: TestAccount, keyId: string) {
        const expires_at = new Date(Date.now() + 1_000).toISOString()
        const body = { expires_at }
        await gateway.request('PATCH', `/api/v1/keys/${keyId}`, { key: account.key, body })
        await expect
          .poll(() =>
            gateway.database.query(
              'select expires_at <= now() as ended from api_key where id = $1',
              [keyId],
            ),
          )
          .toEqual([{ ended: true }])
      },
    },
    {
      title: 'frozen',
      status: 403,
      end: (gateway: Gateway, account: TestAccount) =>
        gateway.request('POST', `/api/v1/admin/accounts/${account.id}/freeze`, {
          key: adminToken,
          body: { reason: 'stolen' },
        }),
    },
  ]
  test.each(endings)(
    '$title: is refused on every route of every gateway from then on',
    async ({ end, status }) => {
      const one = shared()
      const two = second()
      const account = await one.account(100)
      const key = await newKey(one, account)
      const ask = async (gateway: Gateway) => {
        const seen = []
        for (const [method, at] of routes) {
          const body = method === 'POST' ? { body: { query: 'anything' } } : {}
          seen.push((await gateway.request(method, at, { key: key.key, ...body })).status)
        }
        return seen
      }
      for (const gateway of [one, two])
        for (const answered of await ask(gateway)) expect([401, 403]).not.toContain(answered)
      await end(one, account, key.id)
      for (const gateway of [one, two]) expect(await ask(gateway)).toEqual(routes.map(() => status))
    },
  )
})

describe('limits of a key', () => {
  test('are shown with the spent and remaining amount of each window', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const limited = await newKey(gateway, account, {
      max_cents_per_day: 30,
      max_cents_per_month: 40,
    })
    await limited.call('test/capped', { costs: 10 })
    const shown = await account.get(`/api/v1/keys/${limited.id}`)
    expect(shown.body).toMatchObject({
      key_id: limited.id,
      spending: {
        day: { spent_cents: 10, spent_usd: '0.100000', remaining_cents: 20 },
        month: { spent_cents: 10, remaining_cents: 30, remaining_usd: '0.300000' },
      },
    })
    const [own] = (await limited.request('GET', '/api/v1/keys')).body.keys
    expect(own).toEqual(shown.body)
  })

  test('an unlimited key shows what it has spent, and no remainder', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    await account.call('test/echo', {})
    const { body } = await account.get('/api/v1/keys')
    expect(body.keys[0].spending).toMatchObject({
      day: { spent_cents: 2, remaining_cents: null, remaining_usd: null },
      month: { spent_cents: 2, remaining_cents: null },
    })
  })

  test('set later they count earlier spending, and hold exactly under concurrency', async () => {
    const gateway = shared()
    const account = await gateway.account(1_000)
    const key = await newKey(gateway, account)
    await key.call('test/capped', { costs: 10 })
    const changed = await gateway.request('PATCH', `/api/v1/keys/${key.id}`, {
      key: account.key,
      body: { max_cents_per_day: 30 },
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      max_cents_per_day: 30,
      spending: { day: { spent_cents: 10, remaining_cents: 20 } },
    })
    const replies = await Promise.all(Array.from({ length: 20 }, () => key.call('test/echo', {})))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(replies.filter(({ body }) => body.error === 'spend_limit_reached')).toHaveLength(10)
  })

  test('removed and set again during calls, they still count exactly', async () => {
    const gateway = shared()
    const account = await gateway.account(1_000)
    const key = await newKey(gateway, account, { max_cents_per_day: 30 })
    const change = (body: object) =>
      gateway.request('PATCH', `/api/v1/keys/${key.id}`, { key: account.key, body })
    await change({ max_cents_per_day: null })
    const running = key.call('test/slow', {})
    await gateway.provider.waiting(1)
    expect((await change({ max_cents_per_day: 12 })).body.spending.day).toMatchObject({
      spent_cents: 2,
      remaining_cents: 10,
    })
    await change({ max_cents_per_day: null, max_cents_per_month: 12 })
    gateway.provider.release()
    expect((await running).status).toBe(200)
    await key.call('test/capped', { costs: 3 }).then(({ status }) => expect(status).toBe(402))
    const replies = await Promise.all(Array.from({ length: 8 }, () => key.call('test/echo', {})))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
  })

  test('set while chats of the key run on a lease of its account, they count the cost of these chats', async () => {
    const gateway = shared()
    const account = await gateway.account(5_000)
    const { id, key } = await newKey(gateway, account)
    const ask = () => chat(gateway, { ...account, key }, { model: 'lab/one', max_tokens: 10 })
    await expect
      .poll(async () => {
        await ask()
        const [row] = await gateway.database.query<{ places: number }>(
          'select places from lease where account_id = $1',
          [account.id],
        )
        return row?.places ?? 0
      })
      .toBeGreaterThanOrEqual(3)
    const answers = Promise.withResolvers<void>()
    gateway.upstream.behave('one', async (exchange) => {
      await answers.promise
      exchange.answer()
    })
    const before = gateway.upstream.asked.length
    const running = [ask(), ask(), ask()]
    await expect.poll(() => gateway.upstream.asked.length).toBe(before + 3)
    const held = `select id from call where state = 'held' and account_id = $1`
    expect(await gateway.database.query(held, [account.id])).toEqual([])
    await gateway.request('PATCH', `/api/v1/keys/${id}`, {
      key: account.key,
      body: { max_cents_per_day: 1, max_cents_per_month: 2 },
    })
    answers.resolve()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200])
    await account.get('/api/v1/account')
    const counted = await gateway.database.query(
      `select period, micros, key_spent(key_id, period) as spent from key_spend where key_id = $1 order by period`,
      [id],
    )
    const [total] = await gateway.database.query<{ micros: number }>(
      'select sum(charged)::bigint as micros from call where key_id = $1',
      [id],
    )
    expect(total?.micros).toBeGreaterThan(0)
    const all = { micros: total?.micros, spent: total?.micros }
    expect(counted).toEqual([
      { period: 'day', ...all },
      { period: 'month', ...all },
    ])
  })

  test('hold for the next request on every gateway', async () => {
    const one = shared()
    const two = second()
    const account = await one.account(100)
    const key = await newKey(one, account)
    const create = (gateway: Gateway) =>
      gateway.request('POST', '/api/v1/keys', { key: key.key, body: {} })
    expect((await create(two)).status).toBe(201)
    await one.request('PATCH', `/api/v1/keys/${key.id}`, {
      key: account.key,
      body: { actions: ['test/free'] },
    })
    expect((await create(two)).status).toBe(403)
    expect((await two.call('test/echo', {}, { key: key.key })).body.error).toBe('forbidden')
  })

  const refused = [
    { title: 'an end in the past', body: { expires_at: '2020-01-01T00:00:00Z' } },
    { title: 'a negative amount', body: { max_cents_per_day: -1 } },
    { title: 'an unknown field', body: { max_cents_per_hour: 1 } },
    { title: 'a pattern that is not an action', body: { actions: ['*'] } },
    { title: 'a misspelt action', body: { actions: ['test/free', 'test/fre'] } },
    { title: 'a service that is not there', body: { actions: ['ns_scolar/*'] } },
  ]
  test.each(refused)('$title is refused: 400', async ({ body }) => {
    const gateway = shared()
    const account = await gateway.account(10)
    const key = await newKey(gateway, account)
    const statuses = [
      (await gateway.request('POST', '/api/v1/keys', { key: account.key, body })).status,
      (await gateway.request('PATCH', `/api/v1/keys/${key.id}`, { key: account.key, body })).status,
    ]
    expect(statuses).toEqual([400, 400])
    expect((await account.get('/api/v1/keys')).body.keys).toHaveLength(2)
  })

  test('a misspelt action is answered with the one that was meant', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const create = (action: string) =>
      gateway.request('POST', '/api/v1/keys', { key: account.key, body: { actions: [action] } })
    expect((await create('ns_scholar/work*')).status).toBe(400)
    expect((await create('ns_scolar/*')).body.message).toContain('Did you mean ns_scholar/*?')
    expect((await create('llm/chats')).body.message).toContain('Did you mean llm/chat?')
    expect((await create('llm/chat')).status).toBe(201)
    expect((await create('llm/*')).status).toBe(201)
  })

  test('of another account’s key, or a revoked one, cannot be changed: 404', async () => {
    const gateway = shared()
    const [one, two] = [await gateway.account(10), await gateway.account(10)]
    const key = await newKey(gateway, one)
    const change = (account: TestAccount) =>
      gateway.request('PATCH', `/api/v1/keys/${key.id}`, {
        key: account.key,
        body: { max_cents_per_day: 1 },
      })
    expect((await change(two)).status).toBe(404)
    await gateway.request('DELETE', `/api/v1/keys/${key.id}`, { key: one.key })
    expect((await change(one)).status).toBe(404)
  })
})
