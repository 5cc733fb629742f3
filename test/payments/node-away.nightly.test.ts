// A gateway that starts while a node is unreachable cannot check the rail and does not offer it. A wallet that has paid
// on this rail before is not asked to pay again.
import { describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { shareKillableGateways } from './killable-gateway.ts'
import { chainOf, openTill, payments, rails, shareChains, type Till } from './paid-gateway.ts'
import { challenge, present, sign } from './payers.ts'

describe.skipIf(!payments.ok)(`a node that is unreachable at the start ${payments.reason}`, () => {
  const chains = shareChains()
  let till: Till
  /** The second gateway of one test is the first of the next. */
  const gateways = shareKillableGateways(async () => {
    till = await openTill(chains())
    return till.env
  })

  test.each(rails)(
    '%s: the caller is told to present a payment in progress later, and it counts',
    async (rail) => {
      const first = await gateways.living()
      const chain = chainOf(chains(), rail)
      const before = await chain.balanceOf(till.payTo)
      const took = async () => (await chain.balanceOf(till.payTo)) - before
      const payment = await sign({ url: first.url, chains: chains() }, rail, 'test/echo')
      const node = till.node[rail]
      // The transaction is mined, but the gateway does not learn of it.
      node.dropReply('eth_sendRawTransaction', 1_000)
      node.delay('eth_getTransactionReceipt', 0, 1)
      node.delay('eth_getTransactionReceipt', 30_000, 1_000)
      const lost = present({ url: first.url }, 'test/echo', {}, payment).catch(() => undefined)
      await until(async () => (await took()) === 20_000n)
      await gateways.kill()
      await lost
      node.down()

      const second = await gateways.living()
      const away = await present({ url: second.url }, 'test/echo', {}, payment)
      expect([away.status, away.body.error]).toEqual([503, 'unavailable'])
      expect(away.headers.get('payment-required')).toBeNull()
      expect(away.headers.get('www-authenticate')).toBeNull()
      const asked = await challenge(second, 'test/echo')
      expect(asked.headers.has(rail === 'x402' ? 'payment-required' : 'www-authenticate')).toBe(
        false,
      )
      node.up()
      await until(async () => {
        const { status, body } = await present({ url: second.url }, 'test/echo', {}, payment)
        expect([200, 503]).toContain(status)
        return body.data?.echo === 'hello'
      })
      expect(await took()).toBe(20_000n)
    },
  )
})
