// An irreversible order is sent once. While its outcome is unknown, the price stays held until the operator decides.
import { expect, test } from 'vitest'
import {
  adminToken,
  type Gateway,
  shareGatewayOfWorker,
  type TestAccount,
  verify,
} from '#test/harness.ts'

const admin = '/api/v1/admin/purchases'
const shared = shareGatewayOfWorker()

/** The account's purchases that wait for the operator. */
async function listed(account: TestAccount) {
  const { body } = await shared().request('GET', admin, { key: adminToken })
  return body.purchases.filter(
    ({ account_id }: { account_id: string }) => account_id === account.id,
  )
}
const resolve = (gateway: Gateway, id: string, body: object) =>
  gateway.request('POST', `${admin}/${id}`, { key: adminToken, body })
const buy = (seller: string) => ({ seller, max_cost_cents: 20 })

test('an accepted order is charged its cost once, even if the call is repeated', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const key = { 'idempotency-key': 'order-of-mine' }
  const first = await account.call('test/buy', buy('takes'), key)
  expect(first.body).toMatchObject({ ok: true, data: { order_id: 'order-1' }, charged_cents: 7 })
  const again = await account.call('test/buy', buy('takes'), key)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(gateway.provider.asked).toEqual([first.body.transaction_id])
  expect(await account.state()).toEqual({ availableCents: 93, heldCents: 0, transactions: 1 })
  expect(await listed(account)).toEqual([])
})

test('a refused order costs nothing and may be sent again', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const key = { 'idempotency-key': 'order-of-mine' }
  expect((await account.call('test/buy', buy('refuses'), key)).status).toBe(400)
  expect((await account.call('test/buy', buy('refuses'), key)).status).toBe(400)
  expect(new Set(gateway.provider.asked).size).toBe(2)
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(await listed(account)).toEqual([])
})

test.each([
  ['breaks off', 'The seller’s answer does not say whether the order was taken.'],
  ['mumbles', expect.stringMatching(/^The seller’s answer is not as expected: .+ order_id/su)],
  ['hangs', 'No answer came within 0.5 seconds.'],
])(
  'a seller who %s: the price stays held, nothing is ordered again, and the operator reads why',
  async (seller, doubt) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const key = { 'idempotency-key': 'order-of-mine' }
    const first = await account.call('test/buy', buy(seller), key)
    expect(first.status).toBe(503)
    expect(first.body).toMatchObject({ error: 'outcome_unknown' })
    const again = await account.call('test/buy', buy(seller), key)
    expect(again.body).toEqual(first.body)
    expect(gateway.provider.asked).toHaveLength(1)
    expect(await account.state()).toEqual({ availableCents: 80, heldCents: 20, transactions: 1 })

    const id = first.body.data.transaction_id
    expect(await listed(account)).toMatchObject([
      {
        transaction_id: id,
        account_id: account.id,
        action: 'test/buy',
        reference: id,
        held_cents: 20,
        doubt,
      },
    ])
    const read = await account.call('tollway/result', { transaction_id: id })
    expect(read.body.data).toMatchObject({ status: 'running', error: 'outcome_unknown' })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  },
)

test('an action that tries to order twice in one call orders once, and the operator decides', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const reply = await account.call('test/buy', { ...buy('takes'), orders: 2 })
  expect([reply.status, reply.body.error]).toEqual([503, 'outcome_unknown'])
  expect(gateway.provider.asked).toHaveLength(1)
  expect(await account.state()).toMatchObject({ availableCents: 80, heldCents: 20 })
})

test.each([
  [{ outcome: 'charge', note: 'It was delivered.' }, 20, 'succeeded'],
  [{ outcome: 'charge', charged_cents: 7, note: 'It was delivered.' }, 7, 'succeeded'],
  [{ outcome: 'void', note: 'The seller knows no such order.' }, 0, 'failed'],
] as const)('the operator resolves it: %o', async (resolution, charged, status) => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await account.call('test/buy', buy('breaks off'))
  const id = body.data.transaction_id
  expect(
    (await resolve(gateway, id, { outcome: 'charge', charged_cents: 21, note: 'x' })).status,
  ).toBe(400)
  const resolved = await resolve(gateway, id, resolution)
  expect(resolved.body).toMatchObject({ transaction_id: id, charged_cents: charged })
  expect((await resolve(gateway, id, resolution)).status).toBe(404)
  expect(await listed(account)).toEqual([])
  // On record once: a decision that was refused is not.
  const audit = await gateway.request('GET', `/api/v1/admin/audit?subject=${id}`, {
    key: adminToken,
  })
  expect(audit.body.actions).toMatchObject([{ action: 'purchase.resolve', details: resolution }])
  const read = await account.call('tollway/result', { transaction_id: id })
  expect(read.body.data).toMatchObject({ status, charged_cents: charged })
  expect(await account.state()).toMatchObject({ availableCents: 100 - charged, heldCents: 0 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a gateway that stops in the middle of an order leaves it to the operator, not to recovery', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await account.call('test/buy', buy('breaks off'))
  const id = body.data.transaction_id
  // The state of the books after a process was killed before it could answer.
  await gateway.database.query(
    'update purchase set doubt = null, gateway_id = 999999 where call_id = $1',
    [id],
  )
  await gateway.database.query('update call set error = null, message = null where id = $1', [id])
  const [abandoned] = await gateway.database.query<{ count: number }>(
    'select count(*) as count from abandoned_calls(1000) where account_id = $1',
    [account.id],
  )
  expect(abandoned?.count).toBe(0)
  expect(await listed(account)).toMatchObject([
    { transaction_id: id, doubt: 'The gateway stopped while the order was under way.' },
  ])
})

test('only the operator sees and resolves them', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  expect((await account.get(admin)).status).toBe(401)
  const none = await resolve(gateway, '01970000-0000-7000-8000-000000000000', {
    outcome: 'void',
    note: 'x',
  })
  expect(none.status).toBe(404)
})
