import { expect, test } from 'vitest'
import { adminToken, shareGateway } from '#test/harness.ts'

const shared = shareGateway({ env: { CONFIRM_ABOVE_CENTS: '2000' } })

const admin = (path: string, body: object) =>
  shared().request('POST', `/api/v1/admin/${path}`, { key: adminToken, body })

test('an amount above the threshold is given only if it is said twice', async () => {
  const account = await shared().account(100)
  const credit = (body: object) =>
    admin(`accounts/${account.id}/credit`, { reason: 'prepaid', ...body })
  const cents = async () => (await account.state()).availableCents
  expect(await credit({ amount_cents: 2_000 })).toMatchObject({ status: 200 })
  expect(await cents()).toBe(2_100)
  for (const confirmation of [{}, { confirm_cents: 2_002 }, { confirm_cents: 200 }]) {
    const refused = await credit({ amount_cents: 2_001, ...confirmation })
    expect(refused).toMatchObject({ status: 400, body: { error: 'bad_request' } })
    expect(refused.body.message).toBe(
      'This gives $20.01. If that is right, send "confirm_cents": 2001 beside amount_cents.',
    )
  }
  // An amount that is said twice must be the same.
  expect(await credit({ amount_cents: 5, confirm_cents: 6 })).toMatchObject({ status: 400 })
  expect(await cents()).toBe(2_100)
  expect(await credit({ amount_cents: 2_001, confirm_cents: 2_001 })).toMatchObject({ status: 200 })
  expect(await cents()).toBe(4_101)
  const { body } = await shared().request('GET', `/api/v1/admin/accounts/${account.id}`, {
    key: adminToken,
  })
  expect(body.confirm_above_cents).toBe(2_000)
})

test('an opening balance above the threshold opens no account unless it is said twice', async () => {
  const name = 'A large one'
  const refused = await admin('accounts', { name, balance_cents: 300_000 })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.message).toContain('"confirm_cents": 300000 beside balance_cents')
  const search = () =>
    shared().request('GET', `/api/v1/admin/accounts?search=${encodeURIComponent(name)}`, {
      key: adminToken,
    })
  expect((await search()).body.accounts).toEqual([])
  const opened = await admin('accounts', { name, balance_cents: 300_000, confirm_cents: 300_000 })
  expect(opened.status).toBe(201)
  expect((await search()).body.accounts).toMatchObject([{ balance_cents: 300_000 }])
})
