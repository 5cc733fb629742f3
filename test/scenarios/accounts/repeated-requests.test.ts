// Requests other than calls that move money or issue a secret: with an Idempotency-Key each is carried out once.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  adminToken,
  type Gateway,
  shareGateway,
  shareGatewayOfWorker,
  startGateway,
  type TestAccount,
  verify,
} from '#test/harness.ts'

interface Case {
  readonly title: string
  readonly path: (account: TestAccount) => string
  readonly key: (account: TestAccount) => string | undefined
  readonly body: object
  readonly otherBody: object
  /** The numbers of accounts, keys and credits, one of which each request increases. */
  readonly adds: { accounts: number; keys: number; credits: number }
}

const cases: Case[] = [
  {
    title: 'a credit',
    path: ({ id }) => `/api/v1/admin/accounts/${id}/credit`,
    key: () => adminToken,
    body: { amount_cents: 5, reason: 'goodwill' },
    otherBody: { amount_cents: 6, reason: 'goodwill' },
    adds: { accounts: 0, keys: 0, credits: 1 },
  },
  {
    title: 'a debit',
    path: ({ id }) => `/api/v1/admin/accounts/${id}/debit`,
    key: () => adminToken,
    body: { amount_cents: 5, reason: 'mistake' },
    otherBody: { amount_cents: 6, reason: 'mistake' },
    adds: { accounts: 0, keys: 0, credits: 1 },
  },
  {
    title: 'an account that the operator opens',
    path: () => '/api/v1/admin/accounts',
    key: () => adminToken,
    body: { name: 'Ada', balance_cents: 7 },
    otherBody: { name: 'Ada', balance_cents: 8 },
    adds: { accounts: 1, keys: 1, credits: 1 },
  },
  {
    title: 'a key that the operator issues',
    path: ({ id }) => `/api/v1/admin/accounts/${id}/keys`,
    key: () => adminToken,
    body: { max_cents_per_day: 5 },
    otherBody: {},
    adds: { accounts: 0, keys: 1, credits: 0 },
  },
  {
    title: 'a key',
    path: () => '/api/v1/keys',
    key: ({ key }) => key,
    body: { name: 'laptop' },
    otherBody: { name: 'phone' },
    adds: { accounts: 0, keys: 1, credits: 0 },
  },
  {
    title: 'a sign-up',
    path: () => '/api/v1/agents',
    key: () => undefined,
    body: { name: 'Crawler' },
    otherBody: { name: 'Other' },
    adds: { accounts: 1, keys: 1, credits: 1 },
  },
]

const env = { SIGNUP_CREDIT_CENTS: '5' }
const shared = shareGatewayOfWorker({ env })
const second = shareGateway(() => ({
  env: { ...env, SIGNUPS_PER_HOUR: '100000' },
  databaseUrl: shared().databaseUrl,
}))

async function counts(gateway: Gateway) {
  const [row] = await gateway.database.query<{ accounts: number; keys: number; credits: number }>(
    `select (select count(*) from account where kind = 'caller') as accounts, (select count(*) from api_key) as keys,
       (select count(*) from transfer where kind in ('credit', 'debit')) as credits`,
  )
  if (row === undefined) throw new Error('A count has a row.')
  return row
}

const added = (before: Case['adds'], adds: Case['adds']) => ({
  accounts: before.accounts + adds.accounts,
  keys: before.keys + adds.keys,
  credits: before.credits + adds.credits,
})

describe.each(cases)('$title', (given) => {
  const open = async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const idempotencyKey = randomUUID()
    const send = (options: { body?: object; idempotencyKey?: string; on?: Gateway } = {}) =>
      (options.on ?? gateway).request('POST', given.path(account), {
        key: given.key(account),
        headers: { 'idempotency-key': options.idempotencyKey ?? idempotencyKey },
        body: options.body ?? given.body,
      })
    return { gateway, send }
  }

  test('repeated with its Idempotency-Key returns the same answer, and happens once', async () => {
    const { gateway, send } = await open()
    const two = second()
    const before = await counts(gateway)
    const first = await send()
    expect(first.status).toBeLessThan(300)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    for (const on of [gateway, two]) {
      const again = await send({ on })
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    expect(await counts(gateway)).toEqual(added(before, given.adds))
  })

  test('with another body is refused: 422, and nothing happens', async () => {
    const { gateway, send } = await open()
    await send()
    const before = await counts(gateway)
    const reply = await send({ body: given.otherBody })
    expect([reply.status, reply.body.error]).toEqual([422, 'idempotency_key_reused'])
    expect(await counts(gateway)).toEqual(before)
  })

  test('sent forty times at once to two gateways happens once; all answers are equal, or 409', async () => {
    const { gateway, send } = await open()
    const two = second()
    const before = await counts(gateway)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => send({ on: turn % 2 === 0 ? gateway : two })),
    )
    const done = replies.filter(({ status }) => status < 300)
    const refused = replies.filter(({ status }) => status >= 300)
    expect(refused.map(({ body }) => body.error)).toEqual(
      refused.map(() => 'idempotency_in_progress'),
    )
    expect(
      refused.every(({ status, headers }) => status === 409 && headers.has('retry-after')),
    ).toBe(true)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await counts(gateway)).toEqual(added(before, given.adds))
    expect((await send()).body).toEqual(done[0]?.body)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('that failed frees its Idempotency-Key', async () => {
    const { gateway, send } = await open()
    expect((await send({ body: { unknown_field: 1 } })).status).toBe(400)
    const before = await counts(gateway)
    expect((await send()).status).toBeLessThan(300)
    expect(await counts(gateway)).toEqual(added(before, given.adds))
  })

  test('leaves no secret in the database, nor the Idempotency-Key that opens it', async () => {
    const { gateway, send } = await open()
    const idempotencyKey = randomUUID()
    const kept = () =>
      gateway.database.query<{ id: Buffer; answer: Buffer }>('select id, answer from request_once')
    const before = await kept()
    const { body } = await send({ idempotencyKey })
    const rows = (await kept()).filter(({ id }) => !before.some((row) => row.id.equals(id)))
    expect(rows).toHaveLength(1)
    const stored = rows
      .map(({ id, answer }) => `${id.toString('latin1')}${answer.toString('latin1')}`)
      .join('')
    expect(stored).not.toContain(idempotencyKey)
    for (const secret of [body.api_key, body.claim_url, 'tw_live_'])
      if (secret !== undefined) expect(stored).not.toContain(secret)
  })
})

test('the same Idempotency-Key from two senders means two requests', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(10), await gateway.account(10)]
  const create = (key: string) =>
    gateway.request('POST', '/api/v1/keys', {
      key,
      headers: { 'idempotency-key': 'the-same-for-both' },
      body: {},
    })
  const [first, second] = [await create(one.key), await create(two.key)]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.body.api_key).not.toBe(second.body.api_key)
  expect(second.headers.get('idempotency-replayed')).toBeNull()
})

test('the answer is withheld from a repetition with another credential, and nothing happens again', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  const later = await startGateway({
    databaseUrl: gateway.databaseUrl,
    env: { ADMIN_TOKEN: 'another-token-of-the-operator' },
  })
  const send = (on: Gateway, key: string) =>
    on.request('POST', `/api/v1/admin/accounts/${account.id}/keys`, {
      key,
      headers: { 'idempotency-key': 'key-for-ada' },
      body: {},
    })
  expect((await send(gateway, adminToken)).status).toBe(201)
  const reply = await send(later, 'another-token-of-the-operator')
  expect([reply.status, reply.body.error]).toEqual([422, 'idempotency_key_reused'])
  expect((await account.get('/api/v1/keys')).body.keys).toHaveLength(2)
})

test('a sign-up refuses an Idempotency-Key that can be guessed: 400', async () => {
  const gateway = shared()
  const reply = await gateway.request('POST', '/api/v1/agents', {
    headers: { 'idempotency-key': 'signup-1' },
    body: {},
  })
  expect([reply.status, reply.body.error]).toEqual([400, 'bad_request'])
})

test('a sign-up that is repeated does not count against the limit of its address', async () => {
  const gateway = await startGateway({ env: { SIGNUPS_PER_HOUR: '1' } })
  const send = (idempotencyKey: string) =>
    gateway.request('POST', '/api/v1/agents', { headers: { 'idempotency-key': idempotencyKey } })
  const key = randomUUID()
  expect([(await send(key)).status, (await send(key)).status]).toEqual([201, 201])
  expect((await send(randomUUID())).status).toBe(429)
})

test('each is carried out once, even if the database keeps dropping its connections', async () => {
  const gateway = await startGateway({ env: { SIGNUPS_PER_HOUR: '1000' } })
  const account = await gateway.account(100)
  const before = await counts(gateway)

  /** Repeats the request until it is answered, like a client. */
  async function sendUntilAnswered(path: string, key: string | undefined, body: object) {
    const headers = { 'idempotency-key': randomUUID() }
    const refusals: unknown[] = []
    for (;;) {
      const reply = await gateway.request('POST', path, { key, headers, body })
      if (reply.status < 300) return refusals
      refusals.push(reply.body.error)
    }
  }
  const credit = { amount_cents: 1, reason: 'goodwill' }
  let isDone = false
  const sent = Promise.all([
    ...Array.from({ length: 30 }, () =>
      sendUntilAnswered(`/api/v1/admin/accounts/${account.id}/credit`, adminToken, credit),
    ),
    ...Array.from({ length: 15 }, () => sendUntilAnswered('/api/v1/keys', account.key, {})),
    ...Array.from({ length: 10 }, () => sendUntilAnswered('/api/v1/agents', undefined, {})),
  ]).finally(() => {
    isDone = true
  })
  // Bounded, so that connections live long enough for the work on a slow machine too.
  const dropsMax = 40
  let dropped = 0
  while (!isDone && dropped < dropsMax) {
    const rows = await gateway.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 2`,
    )
    dropped += rows.length
    await setTimeout(dropped)
  }
  expect(dropped).toBeGreaterThan(0)
  const errors = new Set((await sent).flat())
  expect(['idempotency_in_progress', 'unavailable']).toEqual(expect.arrayContaining([...errors]))
  expect(await counts(gateway)).toEqual(added(before, { accounts: 10, keys: 25, credits: 30 }))
  expect(await account.state()).toMatchObject({ availableCents: 130 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
