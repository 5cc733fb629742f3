// An order of a wallet with an unknown outcome: the gateway keeps the money until the operator resolves it.
import { describe, expect, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from './books.ts'
import {
  type PaidGateway,
  payments,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { present, received, sign } from './payers.ts'

const slowOrder = { seller: 'hangs', max_cost_cents: 20 }
const order = { seller: 'breaks off', max_cost_cents: 20 }

describe.skipIf(!payments.ok)(`orders in doubt ${payments.reason}`, () => {
  const chains = shareChains()

  const policies = [
    ['paid first', '0'],
    ['paid when it is answered', '50'],
  ] as const

  describe.each(policies)('a call that is %s', (_, settleBeforeCents) => {
    const shared = sharePaidGateway(chains, { env: { SETTLE_BEFORE_CENTS: settleBeforeCents } })

    test.each([
      ['charge', { charged_cents: 7 }, 130_000n],
      ['void', {}, 200_000n],
    ] as const)('is kept, and can be resolved: %s', async (outcome, more, refunded) => {
      const gateway = shared()
      const settledBefore = await count(gateway, `payment where state = 'settled'`)
      const refundedBefore = await count(gateway, `refund where state = 'confirmed'`)
      const payment = await sign(gateway, 'mpp', 'test/buy', order)
      const first = await present(gateway, 'test/buy', order, payment)
      expect([first.status, first.body.error]).toEqual([503, 'outcome_unknown'])
      const again = await present(gateway, 'test/buy', order, payment)
      expect([again.status, again.body]).toEqual([503, first.body])
      await until(async () => (await received(gateway, 'mpp')) === 200_000n)
      await until(
        async () => (await count(gateway, `payment where state = 'settled'`)) === settledBefore + 1,
      )
      const id = first.body.data.transaction_id
      const resolved = await gateway.request('POST', `/api/v1/admin/purchases/${id}`, {
        key: adminToken,
        body: { outcome, note: 'It was found out.', ...more },
      })
      expect(resolved.status).toBe(200)
      await until(
        async () =>
          (await count(gateway, `refund where state = 'confirmed'`)) === refundedBefore + 1,
      )
      expect(
        await gateway.database.query('select micros from refund where call_id = $1', [id]),
      ).toEqual([{ micros: Number(refunded) }])
      expect(gateway.provider.asked.length).toBe(1)
      await expectBooksRight(gateway)
    })
  })

  test('is not charged before its payment is settled', async () => {
    const gateway = await startPaidGateway(chains())
    const payment = await sign(gateway, 'mpp', 'test/buy', slowOrder)
    const running = present(gateway, 'test/buy', slowOrder, payment)
    await until(async () => gateway.provider.asked.length === 1)
    gateway.till.node.mpp.down()
    const { body } = await running
    const resolve = () =>
      gateway.request('POST', `/api/v1/admin/purchases/${body.data.transaction_id}`, {
        key: adminToken,
        body: { outcome: 'charge', note: 'It was found out.' },
      })
    const early = await resolve()
    expect([early.status, early.body.error]).toEqual([400, 'bad_request'])
    gateway.till.node.mpp.up()
    await until(async () => (await count(gateway, `payment where state = 'settled'`)) === 1)
    expect((await resolve()).status).toBe(200)
    expect(await received(gateway, 'mpp')).toBe(200_000n)
    await expectBooksRight(gateway)
  })
})

async function count({ database }: PaidGateway, what: string): Promise<number> {
  return (await database.query(`select 1 from ${what}`)).length
}
