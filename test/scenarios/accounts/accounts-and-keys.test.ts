import { describe, expect, onTestFinished, test } from 'vitest'
import {
  adminToken,
  shareGateway,
  shareGatewayOfWorker,
  startGateway,
  verify,
} from '#test/harness.ts'

const shared = shareGatewayOfWorker()
const withCredit = shareGatewayOfWorker({ env: { SIGNUP_CREDIT_CENTS: '5' } })

describe('sign-up without a human', () => {
  test('opens an account and answers with a key that works and a claim link', async () => {
    const gateway = withCredit()
    const reply = await gateway.request('POST', '/api/v1/agents', { body: { name: 'Crawler' } })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.body).toEqual({
      account_id: expect.any(String),
      api_key: expect.stringMatching(/^tw_live_[0-9A-Za-z]{36}$/),
      claim_url: expect.stringContaining(`${gateway.url}/claim/`),
    })
    const called = await gateway.call('test/echo', {}, { key: reply.body.api_key })
    expect(called.body).toMatchObject({ ok: true, balance_remaining_cents: 3 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('without a body works, and gives no credit by default', async () => {
    const gateway = shared()
    const { body } = await gateway.request('POST', '/api/v1/agents')
    const called = await gateway.call('test/echo', {}, { key: body.api_key })
    expect(called.body.error).toBe('insufficient_balance')
  })

  test('is limited per address and hour, and does not trust X-Forwarded-For of strangers: 429 with Retry-After', async () => {
    const gateway = await startGateway({ env: { SIGNUPS_PER_HOUR: '2' } })
    const replies = [await gateway.request('POST', '/api/v1/agents')]
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      replies.push(
        await gateway.request('POST', '/api/v1/agents', {
          headers: { 'x-forwarded-for': address },
        }),
      )
    const refused = await gateway.request('POST', '/api/v1/agents')
    expect([...replies, refused].map((reply) => reply.status)).toEqual([201, 201, 429, 429, 429])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect(refused.body.error).toBe('rate_limited')
  })

  test('can be claimed once, by a person with an e-mail address', async () => {
    const gateway = shared()
    const { body } = await gateway.request('POST', '/api/v1/agents')
    const claim = new URL(body.claim_url).pathname
    const page = await gateway.request('GET', claim)
    expect(page.headers.get('content-type')).toMatch(/html/)
    expect(page.body).toContain(body.account_id)
    expect((await gateway.request('POST', claim, { body: { email: 'nobody' } })).status).toBe(400)
    const claimed = await gateway.request('POST', claim, { body: { email: 'ada@example.com' } })
    expect(claimed.body).toEqual({ account_id: body.account_id, owner_email: 'ada@example.com' })
    expect(
      (await gateway.request('POST', claim, { body: { email: 'eve@example.com' } })).status,
    ).toBe(404)
    expect((await gateway.request('GET', claim)).status).toBe(404)
  })
})

describe('keys', () => {
  const second = shareGateway(() => ({ databaseUrl: shared().databaseUrl }))

  test('the secret is shown once and never stored', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const created = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { name: 'laptop' },
    })
    expect(created.status).toBe(201)
    const { api_key: secret } = created.body
    const listed = await account.get('/api/v1/keys')
    expect(listed.body.keys).toMatchObject([
      { name: 'laptop', prefix: secret.slice(0, 12) },
      { name: null },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    const rows = await gateway.database.query('select row_to_json(k)::text as row from api_key k')
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect((await gateway.call('test/echo', {}, { key: secret })).status).toBe(200)
  })

  test('a revoked key is refused at once, for paid calls even where it was just used', async () => {
    const gateway = shared()
    const other = second()
    const account = await gateway.account(10)
    const { body } = await gateway.request('POST', '/api/v1/keys', { key: account.key, body: {} })
    expect((await other.call('test/echo', {}, { key: body.api_key })).status).toBe(200)
    const revoked = await gateway.request('DELETE', `/api/v1/keys/${body.key_id}`, {
      key: account.key,
    })
    expect(revoked.body).toEqual({ key_id: body.key_id, revoked: true, also_revoked: [] })
    expect((await gateway.call('test/echo', {}, { key: body.api_key })).body.error).toBe(
      'invalid_token',
    )
    expect((await other.call('test/echo', {}, { key: body.api_key })).body.error).toBe(
      'invalid_token',
    )
    expect(await account.state()).toMatchObject({ availableCents: 8, transactions: 1 })
  })

  test('a key of another account cannot be revoked', async () => {
    const gateway = shared()
    const [one, two] = [await gateway.account(10), await gateway.account(10)]
    const { body } = await one.get('/api/v1/keys')
    const reply = await gateway.request('DELETE', `/api/v1/keys/${body.keys[0].key_id}`, {
      key: two.key,
    })
    expect(reply.status).toBe(404)
  })

  const policies = [
    {
      title: 'a limit per call',
      policy: { max_cents_per_call: 1 },
      error: 'spend_limit_reached',
      status: 402,
    },
    {
      title: 'a daily limit of less than the call',
      policy: { max_cents_per_day: 1 },
      error: 'spend_limit_reached',
      status: 402,
    },
    {
      title: 'a monthly limit of less than the call',
      policy: { max_cents_per_month: 1 },
      error: 'spend_limit_reached',
      status: 402,
    },
    {
      title: 'a list of other actions',
      policy: { actions: ['ns_scholar/*', 'test/rows'] },
      error: 'forbidden',
      status: 403,
    },
  ]
  test.each(policies)('$title: $status $error, nothing runs', async ({ policy, error, status }) => {
    const gateway = shared()
    const account = await gateway.account(10)
    const { body } = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: policy,
    })
    const reply = await gateway.call('test/echo', {}, { key: body.api_key })
    expect(reply.status).toBe(status)
    expect(reply.body.error).toBe(error)
    expect(gateway.provider.asked).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
  })

  test.each([
    ['call', { max_cents_per_call: 1, max_cents_per_day: 9 }, '0.010000', null, null],
    ['day', { max_cents_per_call: 9, max_cents_per_day: 3 }, '0.030000', '0.020000', /T00:00:00/],
    [
      'month',
      { max_cents_per_day: 9, max_cents_per_month: 3 },
      '0.030000',
      '0.020000',
      /-01T00:00:00/,
    ],
  ] as const)(
    'a refusal names the limit of the %s, what is used and when it ends',
    async (period, policy, most, used, resetsAt) => {
      const gateway = shared()
      const account = await gateway.account(100)
      const { body } = await gateway.request('POST', '/api/v1/keys', {
        key: account.key,
        body: policy,
      })
      const key = body.api_key
      const call = () => gateway.call('test/echo', {}, { key })
      if (used !== null) expect((await call()).status).toBe(200)
      const refused = await call()
      const quoted = await gateway.request('POST', '/api/run/test/echo?quote=true', {
        key,
        body: {},
      })
      const limit = `max_cents_per_${period}`
      expect(refused.body).toMatchObject({
        error: 'spend_limit_reached',
        data: { limit, limit_usd: most, used_usd: used },
      })
      expect(refused.body.message).toContain(`${limit} of this API key is ${most} dollars`)
      if (used !== null) {
        expect(refused.body.message).toContain(`of which ${used} dollars are spent or held`)
        expect(refused.body.message).toContain(refused.body.data.resets_at)
        expect(refused.body.data.resets_at).toMatch(resetsAt)
      }
      expect(JSON.stringify(quoted.body)).toContain(`${limit} of this API key is ${most} dollars`)
    },
  )

  test('a daily limit holds exactly under concurrency, and counts charges, not holds', async () => {
    const gateway = shared()
    const account = await gateway.account(1_000)
    const { body } = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 30, max_cents_per_month: 40, actions: ['test/*'] },
    })
    const capped = await gateway.call('test/capped', { costs: 10 }, { key: body.api_key })
    expect(capped.body.charged_cents).toBe(10)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => gateway.call('test/echo', {}, { key: body.api_key })),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10)
    expect(await account.state()).toMatchObject({ availableCents: 970, heldCents: 0 })
  })

  test('an expired key is refused', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const { body } = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { expires_at: '2100-01-01T00:00:00Z' },
    })
    await gateway.database.query('update api_key set expires_at = now() where id = $1', [
      body.key_id,
    ])
    expect((await gateway.call('test/echo', {}, { key: body.api_key })).status).toBe(401)
  })
})

describe('the operator', () => {
  test('opens accounts, credits them with a reason, and reads providers, prices and health', async () => {
    const gateway = shared()
    const before = await verify(gateway)
    const account = await gateway.account(10)
    const admin = (method: string, at: string, body?: unknown) =>
      gateway.request(method, `/api/v1/admin/${at}`, {
        key: adminToken,
        ...(body === undefined ? {} : { body }),
      })
    const credited = await admin('POST', `accounts/${account.id}/credit`, {
      amount_cents: 5,
      reason: 'goodwill',
    })
    expect(credited.body).toMatchObject({ account_id: account.id, available_cents: 15 })
    expect(
      (await admin('POST', 'accounts/0000/credit', { amount_cents: 5, reason: 'x' })).status,
    ).toBe(404)
    expect((await admin('POST', `accounts/${account.id}/credit`, { amount_cents: 5 })).status).toBe(
      400,
    )
    expect(
      (await admin('POST', `accounts/${account.id}/credit`, { amount_cents: -5, reason: 'x' }))
        .status,
    ).toBe(400)
    const { body: verified } = await admin('GET', 'ledger/verify')
    expect(verified).toEqual({
      ok: true,
      since: null,
      accounts: before.accounts + 1,
      postings: before.postings + 4,
      problems: [],
    })
    expect((await admin('GET', 'providers')).body.providers).toContainEqual(
      expect.objectContaining({
        service: 'ns_semantic',
        mode: 'unavailable',
        reason: expect.stringContaining('NS_SEMANTIC_API_KEY'),
      }),
    )
    expect((await admin('GET', 'prices')).body.prices).toContainEqual(
      expect.objectContaining({ id: 'test/echo', amount: '0.020000' }),
    )
    expect((await admin('GET', 'health')).body).toMatchObject({ ok: true })
  })

  test.each(['', 'wrong', 'tw_live_000'])('refuses the token %j: 401', async (token) => {
    const gateway = shared()
    const accounts = `select id from account where kind = 'caller' order by id`
    const before = await gateway.database.query(accounts)
    for (const [method, at] of [
      ['GET', 'ledger/verify'],
      ['POST', 'accounts'],
      ['GET', 'providers'],
    ] as const) {
      const reply = await gateway.request(
        method,
        `/api/v1/admin/${at}`,
        token === '' ? {} : { key: token },
      )
      expect(reply.status).toBe(401)
    }
    expect(await gateway.database.query(accounts)).toEqual(before)
  })

  test('the books show when a balance was tampered with', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const add = (micros: number) =>
      gateway.database.query(
        'update balance set available = available + $2 where account_id = $1',
        [account.id, micros],
      )
    onTestFinished(async () => void (await add(-1)))
    await add(1)
    expect(await verify(gateway)).toMatchObject({
      ok: false,
      problems: [
        {
          rule: 'a balance is not the sum of its postings',
          subject: account.id,
          found: '100001',
          expected: '100000',
        },
      ],
    })
  })
})

test('a list of keys is read page by page, newest first, and has every key once', async () => {
  const gateway = shared()
  const account = await gateway.account(0)
  const issue = async (place: number) =>
    (
      await gateway.request('POST', '/api/v1/keys', {
        key: account.key,
        body: { name: `key ${place}` },
      })
    ).body.key_id as string
  const issued = await Promise.all(Array.from({ length: 7 }, (_, place) => issue(place)))
  await gateway.request('DELETE', `/api/v1/keys/${issued[3]}`, { key: account.key })
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await account.get(
      `/api/v1/keys?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    pages.push(body.keys.map((key: { key_id: string }) => key.key_id))
    cursor = body.next_cursor
  }
  const ids = pages.flat()
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
  expect(ids).toEqual([...new Set(ids)].toSorted().reverse())
  expect(ids).toEqual(expect.arrayContaining(issued))
  expect((await account.get('/api/v1/keys')).body).toMatchObject({ next_cursor: null })
  for (const query of ['limit=0', 'limit=101', 'cursor=last', 'page=2'])
    expect([query, (await account.get(`/api/v1/keys?${query}`)).status]).toEqual([query, 400])
})

test('a key that is revoked while it issues keys is refused: 401', async () => {
  const gateway = shared()
  const account = await gateway.account(0)
  const { body } = await gateway.request('POST', '/api/v1/keys', { key: account.key, body: {} })
  const issue = () =>
    gateway.request('POST', '/api/v1/keys', { key: body.api_key, body: { max_cents_per_day: 1 } })
  expect((await issue()).status).toBe(201)
  const revoking = gateway.request('DELETE', `/api/v1/keys/${body.key_id}`, { key: account.key })
  let isRevoked = false
  void revoking.then(() => {
    isRevoked = true
  })
  const seen: string[] = []
  while (!isRevoked) {
    const { status, body } = await issue()
    seen.push(`${status} ${body.error ?? ''}`)
    if (seen.length === 90) break
  }
  expect((await revoking).status).toBe(200)
  expect((await issue()).status).toBe(401)
  expect(['201 ', '401 invalid_token']).toEqual(expect.arrayContaining([...new Set(seen)]))
})

describe('keys that a key let in', () => {
  /** A key of the account, two that it made, and one that the second of these made. */
  async function family() {
    const gateway = shared()
    const account = await gateway.account(10)
    const make = async (key: string) =>
      (await gateway.request('POST', '/api/v1/keys', { key, body: {} })).body
    const parent = await make(account.key)
    const child = await make(parent.api_key)
    const grandchild = await make(child.api_key)
    const works = async ({ api_key: key }: { api_key: string }) =>
      (await gateway.request('GET', '/api/v1/account', { key })).status === 200
    return { gateway, account, parent, child, grandchild, works }
  }

  test('name it, and go on when it is revoked', async () => {
    const { gateway, account, parent, child, grandchild, works } = await family()
    expect([child.created_by, grandchild.created_by]).toEqual([parent.key_id, child.key_id])
    const { body } = await gateway.request('DELETE', `/api/v1/keys/${parent.key_id}`, {
      key: account.key,
    })
    expect(body).toEqual({ key_id: parent.key_id, revoked: true, also_revoked: [] })
    expect([await works(parent), await works(child), await works(grandchild)]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('end with it where the one who revokes it asks for that, and no others do', async () => {
    const { gateway, account, parent, child, grandchild, works } = await family()
    const at = `/api/v1/keys/${parent.key_id}?descendants=true`
    const { body } = await gateway.request('DELETE', at, { key: account.key })
    expect(body.also_revoked).toEqual([child.key_id, grandchild.key_id])
    expect([await works(parent), await works(child), await works(grandchild)]).toEqual([
      false,
      false,
      false,
    ])
    expect(await works({ api_key: account.key })).toBe(true)
    const again = await gateway.request('DELETE', at, { key: account.key })
    expect(again.body.also_revoked).toEqual([])
  })

  test('a key that revokes itself still reads the answer', async () => {
    const { gateway, parent, child, works } = await family()
    const at = `/api/v1/keys/${parent.key_id}?descendants=true`
    const { status, body } = await gateway.request('DELETE', at, { key: child.api_key })
    expect([status, body.also_revoked.length]).toEqual([200, 2])
    expect(await works(child)).toBe(false)
  })
})
