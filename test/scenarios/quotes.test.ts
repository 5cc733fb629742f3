import { describe, expect, test } from 'vitest'
import { shareGateway } from '../harness.ts'

describe('?quote=true runs nothing and costs nothing', () => {
  const shared = shareGateway()

  const quotes = [
    { action: 'test/echo', body: {}, price: { kind: 'exact', cents: 2, usd: '0.020000' } },
    { action: 'test/free', body: {}, price: { kind: 'exact', cents: 0, usd: '0.000000' } },
    {
      action: 'test/rows',
      body: { rows: 7, delivered: 0 },
      price: { kind: 'exact', cents: 4, usd: '0.035000' },
    },
    {
      action: 'test/capped',
      body: { costs: 1 },
      price: { kind: 'cap', cents: 25, usd: '0.250000' },
    },
    {
      action: 'test/purchase',
      body: { costs: 1, max_cost_cents: 33 },
      price: { kind: 'cap', cents: 33, usd: '0.330000' },
    },
  ]
  test.each(quotes)('$action: $price.kind $price.usd', async ({ action, body, price }) => {
    const gateway = shared()
    const account = await gateway.account(50)
    const reply = await account.call(`${action}?quote=true`, body)
    expect(reply.body).toMatchObject({
      ok: true,
      data: { price, allowed: true },
      charged_cents: 0,
      balance_remaining_cents: 50,
    })
    expect(gateway.provider.asked).toEqual([])
    expect(await account.state()).toEqual({ availableCents: 50, heldCents: 0, transactions: 0 })
  })

  test('says why a call would be refused', async () => {
    const gateway = shared()
    const account = await gateway.account(1)
    const { body } = await account.call('test/echo?quote=true', {})
    expect(body.data).toMatchObject({ allowed: false, refusal: { error: 'insufficient_balance' } })
  })

  test('refuses bad input as the call would', async () => {
    const gateway = shared()
    const account = await gateway.account(1)
    expect((await account.call('test/echo?quote=true', { colour: 'red' })).status).toBe(400)
  })

  test('tells the price to those without an account', async () => {
    const gateway = shared()
    const reply = await gateway.call('test/echo?quote=true', {})
    expect(reply.body).toEqual({
      ok: true,
      data: { price: { kind: 'exact', cents: 2, usd: '0.020000' } },
      charged_cents: 0,
      charged_usd: '0.000000',
    })
  })
})
