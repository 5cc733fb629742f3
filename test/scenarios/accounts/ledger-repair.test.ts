// The operator mends books that are wrong: first as a dry run, then for good.
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { adminToken, type Gateway, shareGateway, type TestAccount, verify } from '#test/harness.ts'

const shared = shareGateway()

const admin = (method: string, path: string, body?: object) =>
  shared().request(method, `/api/v1/admin/${path}`, { key: adminToken, body })

/** A chat that is charged and posted while its balance, its inference and the count of its key stay as they were. */
async function postWithoutBalance({ database }: Gateway, account: TestAccount, charged: number) {
  const [key] = await database.query<{ id: string }>(
    'select id from api_key where account_id = $1',
    [account.id],
  )
  await database.query(
    `with c as (insert into call (id, account_id, key_id, action, inference, state, held, charged, gateway_id, expires_at, ended_at)
       values ($1, $2, $3, 'llm/chat', true, 'settled', $4, $4, 0, now(), now()))
     insert into transfer (call_id, debit, credit, amount, kind) values ($1, $2, house('revenue'), $4, 'charge')`,
    [uuidv7(Date.now()), account.id, key?.id, charged],
  )
  return key?.id
}

/** Amounts and places that are held although no call and no lease holds them. */
const holdWithoutCall = ({ database }: Gateway, account: TestAccount, micros: number) =>
  database.query(
    `with b as (update balance set available = available - $2, held = held + $2, in_flight = in_flight + 3 where account_id = $1)
     insert into inference_day (account_id, day, held) values ($1, utc_day(now()), $2)`,
    [account.id, micros],
  )

const rowsOf = ({ database }: Gateway, account: TestAccount) =>
  database.query(
    `select b.available, b.held, b.in_flight, d.held as day_held, d.spent as day_spent
     from balance b left join inference_day d using (account_id) where b.account_id = $1`,
    [account.id],
  )

test('a repair tells what it would do, then does it, and the books are right', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await account.call('test/echo', { text: 'x' })
  const untouched = await gateway.account(7)
  const keyId = await postWithoutBalance(gateway, account, 4_000)
  await gateway.database.query(
    `insert into key_spend (key_id, period, starts, micros) values ($1, 'day', utc_day(now()), 1)`,
    [keyId],
  )
  await holdWithoutCall(gateway, account, 227_388)
  const broken = await rowsOf(gateway, account)
  expect((await verify(gateway)).ok).toBe(false)

  const dry = await admin('POST', 'ledger/repair')
  expect(dry.body).toMatchObject({ applied: false, remaining: [] })
  const change = (what: string) =>
    dry.body.corrections.find((correction: { what: string }) => correction.what === what)
  expect(change('held')).toMatchObject({ account_id: account.id, found: '227388', repaired: '0' })
  expect(change('calls in flight')).toMatchObject({ found: '3', repaired: '0' })
  expect(change('available')).toMatchObject({ found: '752612', repaired: '976000' })
  expect(change(`spent by key ${keyId} in the day`)).toMatchObject({
    found: '1',
    repaired: '24000',
  })
  expect(change('credit from losses')).toBeUndefined()
  expect(await rowsOf(gateway, account)).toEqual(broken)
  expect((await admin('GET', 'audit?action=ledger.repair')).body.actions).toEqual([])

  const done = await admin('POST', 'ledger/repair', { apply: true })
  expect(done.body).toEqual({ ...dry.body, applied: true })
  expect(await rowsOf(gateway, account)).toEqual([
    { available: 976_000, held: 0, in_flight: 0, day_held: 0, day_spent: 4_000 },
  ])
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  expect((await admin('GET', 'audit?action=ledger.repair')).body.actions).toHaveLength(1)
  expect(await untouched.state()).toMatchObject({ availableCents: 7 })
  const again = await admin('POST', 'ledger/repair', { apply: true })
  expect(again.body).toEqual({ applied: true, corrections: [], remaining: [] })
})

test('what an account has overspent is credited from the losses, and its statement shows that', async () => {
  const gateway = shared()
  const account = await gateway.account(1)
  await postWithoutBalance(gateway, account, 13_000)
  const { body } = await admin('POST', 'ledger/repair', { apply: true })
  expect(body.corrections).toContainEqual({
    account_id: account.id,
    what: 'credit from losses',
    found: '0',
    repaired: '3000',
  })
  expect(await account.state()).toMatchObject({ availableCents: 0, heldCents: 0 })
  const credits = await account.get('/api/v1/transactions?type=credit')
  expect(credits.body.transactions).toContainEqual(
    expect.objectContaining({ reason: 'Correction of the books' }),
  )
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('a repair leaves calls under way alone', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await gateway.database.query(
    'update balance set held = held + 5, available = available - 5 where account_id = $1',
    [account.id],
  )
  const reply = account.call('test/slow', {})
  await expect.poll(() => account.state()).toMatchObject({ transactions: 1 })
  await admin('POST', 'ledger/repair', { apply: true })
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  gateway.provider.release()
  expect((await reply).status).toBe(200)
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('a balance that is gone is found, and all counts of its account are computed anew', async () => {
  const gateway = shared()
  const { database } = gateway
  const account = await gateway.account(100)
  const { body: made } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 50, max_cents_per_month: 60 },
  })
  const key = made.api_key
  expect((await gateway.call('test/echo', { text: 'x' }, { key })).status).toBe(200)
  await postWithoutBalance(gateway, account, 10_000)
  await database.query(
    `with b as (update balance set available = available - 10000 where account_id = $1)
     insert into inference_day (account_id, day, spent) values ($1, utc_day(now()), 10000)`,
    [account.id],
  )
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  const unused = await gateway.account(3)
  const right = await rowsOf(gateway, account)
  const losses = [
    'delete from balance where account_id = $1',
    'delete from inference_day where account_id = $1',
    `update key_spend set micros = micros + 7 where period = 'day' and key_id in (select id from api_key where account_id = $1)`,
    `delete from key_spend where period = 'month' and key_id in (select id from api_key where account_id = $1)`,
  ]
  for (const sql of losses) await database.query(sql, [account.id])
  const { ok, problems } = await verify(gateway)
  expect(ok).toBe(false)
  expect(problems).toContainEqual(
    expect.objectContaining({ rule: 'an account with postings has no balance' }),
  )
  const { body } = await admin('POST', 'ledger/repair', { apply: true })
  expect(body.remaining).toEqual([])
  expect(await rowsOf(gateway, account)).toEqual(right)
  await database.query('delete from balance where account_id = $1', [unused.id])
  await admin('POST', 'ledger/repair', { apply: true })
  expect(await unused.state()).toMatchObject({ availableCents: 3, heldCents: 0 })
})

test('a repair takes no other field, and only the operator', async () => {
  expect((await admin('POST', 'ledger/repair', { dry_run: true })).status).toBe(400)
  const account = await shared().account(1)
  const reply = await shared().request('POST', '/api/v1/admin/ledger/repair', { key: account.key })
  expect(reply.status).toBe(401)
})
