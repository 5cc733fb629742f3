// With several confirmations configured, a payment is neither settled nor dead before it is that deep.
import { describe, expect, test } from 'vitest'
import { expectBooksRight } from './books.ts'
import { cancelAuthorization, readX402 } from './forgeries.ts'
import { createHurriedClock } from './hurried-clock.ts'
import { chainOf, payments, rails, shareChains, startPaidGateway } from './paid-gateway.ts'
import { present, received, sign } from './payers.ts'

const price = 20_000n
const blocks = 600

describe.skipIf(!payments.ok)(`confirmations ${payments.reason}`, () => {
  const chains = shareChains()

  test('x402: a payment that its payer has cancelled is dead once the cancellation is that deep', async () => {
    const { clock, hurry } = createHurriedClock()
    const gateway = await startPaidGateway(chains(), {
      clock,
      env: { CONFIRMATIONS: String(blocks) },
    })
    const { payer } = chains().wallets
    const payment = await sign(gateway, 'x402', 'test/slow')
    const running = present(gateway, 'test/slow', {}, payment)
    await gateway.provider.waiting(1)
    const { nonce } = readX402(payment).payload.authorization
    await cancelAuthorization(chains(), payer, nonce as `0x${string}`)
    hurry()
    gateway.provider.release()
    const early = await running
    expect([early.status, early.body.error]).toEqual([503, 'payment_pending'])
    await chains().x402.mine(blocks)
    const late = await present(gateway, 'test/slow', {}, payment)
    expect([late.status, late.body.error]).toEqual([402, 'settlement_failed'])
    await expectBooksRight(gateway)
  })

  // Last, since it moves the clocks of the chains.
  test.each(rails)(
    '%s: a payment that is mined in time counts, even if it is deep enough only after it has expired',
    async (rail) => {
      const { clock, hurry } = createHurriedClock()
      const gateway = await startPaidGateway(chains(), {
        clock,
        env: { CONFIRMATIONS: String(blocks) },
      })
      const payment = await sign(gateway, rail, 'test/echo')
      hurry()
      const early = await present(gateway, 'test/echo', {}, payment)
      expect([early.status, early.body.error]).toEqual([503, 'payment_pending'])
      expect(await received(gateway, rail)).toBe(price)
      // The longest validity of any payment.
      await chainOf(chains(), rail).increaseTime(300)
      const late = await present(gateway, 'test/echo', {}, payment)
      expect([late.status, late.body.error]).toEqual([503, 'payment_pending'])
      await chainOf(chains(), rail).mine(blocks)
      const settled = await present(gateway, 'test/echo', {}, payment)
      expect([settled.status, settled.body.data]).toEqual([200, { echo: 'hello' }])
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      await expectBooksRight(gateway)
    },
  )
})
