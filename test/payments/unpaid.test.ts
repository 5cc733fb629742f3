// Answers to clients that have not paid: a price if they sent no call, and a refusal if they cannot pay.

import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { describe, expect, test } from 'vitest'
import { countRows } from './books.ts'
import { payments, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { buy, payingFetch, post, present, readReply, received } from './payers.ts'

describe.skipIf(!payments.ok)(`answers to unpaid requests ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)
  const url = (action: string) => `${gateway().url}/api/run/${action}`
  const payer = () => chains().wallets.payer
  const readRequired = (headers: Headers) =>
    PaymentRequiredV2Schema.parse(
      decodePaymentRequiredHeader(headers.get('payment-required') ?? ''),
    )

  test.each(['x402', 'mpp'] as const)(
    '%s: a ceiling below the price is refused with a message that its client shows, and nothing is paid',
    async (rail) => {
      const before = await received(gateway(), rail)
      const reply = await buy(gateway(), rail, 'test/echo', { max_cost_cents: 1 })
      expect([reply.status, reply.body.error]).toEqual([400, 'max_cost_exceeded'])
      expect(reply.body.message).toMatch(/costs 2¢.*max_cost_cents of 1/)
      expect(await received(gateway(), rail)).toBe(before)
    },
  )

  test('an account with such a ceiling is refused as before', async () => {
    const { call } = await gateway().account(100)
    const reply = await call('test/echo', { max_cost_cents: 1 })
    expect([reply.status, reply.body.error]).toEqual([402, 'max_cost_exceeded'])
  })

  test.each([
    ['test/capped', { costs: 3 }, /not sold over x402.*another challenge/],
    ['test/purchase', { costs: 3 }, /Send max_cost_cents/],
  ] as const)('the client of x402 reads why it cannot pay for %s', async (action, body, reason) => {
    const asked = await fetch(url(action), post(body))
    expect(asked.status).toBe(402)
    const required = readRequired(asked.headers)
    expect(required.error).toMatch(reason)
    const paying = payingFetch('x402', chains(), payer())(url(action), post(body))
    await expect(paying).rejects.toThrow(reason)
  })

  test('the client of MPP can pay where the client of x402 cannot', async () => {
    const reply = await buy(gateway(), 'mpp', 'test/capped', { costs: 3 })
    expect([reply.status, reply.body.charged_cents]).toEqual([200, 3])
  })

  test.each([
    ['no body', { method: 'POST' }],
    [
      'an empty body',
      { method: 'POST', body: '', headers: { 'content-type': 'application/json' } },
    ],
  ])('an indexer that sends %s is told the price, and nothing is run', async (_name, init) => {
    const before = [await countRows(gateway(), 'call'), gateway().provider.asked.length]
    for (const [action, amount] of [
      ['test/echo', '20000'],
      ['test/miss', '100000'],
      ['test/rows', '50000'],
    ] as const) {
      const asked = await fetch(url(action), init)
      expect([action, asked.status]).toEqual([action, 402])
      const { accepts, resource } = readRequired(asked.headers)
      expect(accepts).toMatchObject([{ scheme: 'exact', amount }])
      expect(resource).toMatchObject({ url: url(action) })
      expect(asked.headers.get('www-authenticate')).toMatch(/^Payment /)
    }
    const capped = await fetch(url('test/capped'), init)
    expect([capped.status, (await capped.json()).price_usd]).toEqual([402, '0.250000'])
    expect(capped.headers.get('www-authenticate')).toMatch(/^Payment /)
    expect([await countRows(gateway(), 'call'), gateway().provider.asked.length]).toEqual(before)
  })

  test('a client that pays the price of the example without a body loses nothing', async () => {
    const before = await received(gateway(), 'x402')
    const paying = payingFetch('x402', chains(), payer())
    const reply = await readReply(await paying(url('test/miss'), { method: 'POST' }))
    expect([reply.status, reply.body.error]).toEqual([400, 'bad_request'])
    expect(await received(gateway(), 'x402')).toBe(before)
  })

  test('an invalid body is refused with its problem, and an unknown action is not found', async () => {
    expect((await present(gateway(), 'test/miss', {}, {})).status).toBe(400)
    expect((await fetch(url('test/none'), { method: 'POST' })).status).toBe(404)
  })
})
