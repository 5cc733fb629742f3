// A gateway that starts while a node is unreachable cannot check the rail and does not offer it. A wallet that has paid
// on this rail before is not asked to pay again.
import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { startKillableGateway } from './killable-gateway.ts'
import { chainOf, openTill, payments, rails, shareChains } from './paid-gateway.ts'
import { challenge, present, sign } from './payers.ts'

describe.skipIf(!payments.ok)(`a node that is unreachable at the start ${payments.reason}`, () => {
  const chains = shareChains()

  test.each(rails)(
    '%s: the caller is told to present a payment in progress later, and it counts',
    async (rail) => {
      const till = await openTill(chains())
      const dataDir = await makeDataDirectory()
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
      const env = { ...till.env, DATABASE_URL: await createTestDatabase(), DATA_DIR: dataDir }
      const first = await startKillableGateway(env)
      onTestFinished(() => first.kill())
      const payment = await sign({ url: first.url, chains: chains() }, rail, 'test/echo')
      const node = till.node[rail]
      // The transaction is mined, but the gateway does not learn of it.
      node.dropReply('eth_sendRawTransaction', 1_000)
      node.delay('eth_getTransactionReceipt', 0, 1)
      node.delay('eth_getTransactionReceipt', 30_000, 1_000)
      const lost = present({ url: first.url }, 'test/echo', {}, payment).catch(() => undefined)
      await until(async () => (await chainOf(chains(), rail).balanceOf(till.payTo)) === 20_000n)
      await first.kill()
      await lost
      node.down()

      const second = await startKillableGateway(env)
      onTestFinished(() => second.kill())
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
      expect(await chainOf(chains(), rail).balanceOf(till.payTo)).toBe(20_000n)
    },
  )
})
