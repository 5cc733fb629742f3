// All transactions of the gas wallet form one lane. A problem with the first does not stop those behind it.
import { setTimeout as delay } from 'node:timers/promises'
import { toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { expectBooksRight } from './books.ts'
import {
  type PaidGateway,
  payments,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { buy, present, received, sign } from './payers.ts'
import { settleDown } from './soak.ts'

describe.skipIf(!payments.ok)(`the gas lane ${payments.reason}`, () => {
  const chains = shareChains()
  const shared = sharePaidGateway(chains)
  beforeEach(() => settleDown(shared()))

  test('a transaction that pays too little for its block does not delay others once gas is expensive', async () => {
    const gateway = shared()
    const { x402: node } = gateway.till.node
    const payments = await Promise.all(
      ['first', 'second'].map((text) => sign(gateway, 'x402', 'test/echo', { text })),
    )
    node.dropRequest('eth_sendRawTransaction', 1_000)
    const first = present(gateway, 'test/echo', { text: 'first' }, payments[0] ?? {})
    await until(async () => node.seen.includes('eth_sendRawTransaction'))
    await chains().x402.rpc('anvil_setNextBlockBaseFeePerGas', [toHex(10n ** 13n)])
    await chains().x402.mine()
    node.up()
    const second = await present(gateway, 'test/echo', { text: 'second' }, payments[1] ?? {})
    expect([200, 503]).toContain(second.status)
    await first
    for (const [place, text] of ['first', 'second'].entries()) {
      await until(async () => {
        const { status } = await present(gateway, 'test/echo', { text }, payments[place] ?? {})
        return status === 200
      })
    }
    expect(await received(gateway, 'x402')).toBe(40_000n)
    await expectBooksRight(gateway)
  })

  test('a transaction that the node knows and never mines does not delay others', async () => {
    const gateway = shared()
    const texts = ['first', 'second']
    const payments = await Promise.all(
      texts.map((text) => sign(gateway, 'x402', 'test/echo', { text })),
    )
    gateway.till.node.x402.withhold()
    for (const [place, text] of texts.entries()) {
      await until(async () => {
        const { status } = await present(gateway, 'test/echo', { text }, payments[place] ?? {})
        return status === 200
      })
    }
    expect(await received(gateway, 'x402')).toBe(40_000n)
    await expectBooksRight(gateway)
  })

  test('many numbers that were taken and never used are filled together', async () => {
    const gateway = shared()
    expect((await buy(gateway, 'x402', 'test/echo')).status).toBe(200)
    // The state after the database was lost just before eight payments were stored.
    await gateway.database.query('update gas_nonce set next = next + 8')
    const payment = await sign(gateway, 'x402', 'test/echo', { text: 'behind them' })
    await until(async () => {
      const { status } = await present(gateway, 'test/echo', { text: 'behind them' }, payment)
      return status === 200
    })
    await expectBooksRight(gateway)
  })

  test('a payment that two gateways begin to settle at once leaves no gap', async () => {
    const one = shared()
    const { databaseUrl, till } = one
    const two = await startPaidGateway(chains(), { till, databaseUrl })
    const payment = await sign(one, 'x402', 'test/slow')
    const replies = [one, two].map((gateway) => present(gateway, 'test/slow', {}, payment))
    await Promise.any([one, two].map(({ provider }) => provider.waiting(1)))
    // The delay makes both gateways settle at the same time.
    till.node.x402.delay('eth_estimateGas', 1_000, 2)
    for (const { provider } of [one, two]) provider.release()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
    const signed = till.node.x402.seen.filter((method) => method === 'eth_estimateGas')
    expect(signed.length).toBeGreaterThan(1)
    await until(async () => (await gapOf(one)) === 0)
    expect(await received(one, 'x402')).toBe(20_000n)
    await expectBooksRight(one)
  })

  test('a refund is sent again after its transaction was reverted', async () => {
    const gateway = await startPaidGateway(chains(), { env: { SETTLE_BEFORE_CENTS: '0' } })
    const { x402 } = chains()
    const payment = await sign(gateway, 'x402', 'test/slow-fails')
    const failed = present(gateway, 'test/slow-fails', {}, payment)
    await gateway.provider.waiting(1)
    const { seen } = gateway.till.node.x402
    const sentBefore = seen.filter((method) => method === 'eth_sendRawTransaction').length
    await x402.automine(false)
    try {
      gateway.provider.release()
      await failed
      await until(async () => {
        const sent = seen.filter((method) => method === 'eth_sendRawTransaction')
        return sent.length > sentBefore
      })
      await delay(200)
      await x402.rpc('anvil_setStorageAt', [
        x402.asset,
        toHex(5, { size: 32 }),
        toHex(true, { size: 32 }),
      ])
      await x402.mine()
    } finally {
      await x402.rpc('anvil_setStorageAt', [
        x402.asset,
        toHex(5, { size: 32 }),
        toHex(false, { size: 32 }),
      ])
      await x402.automine(true)
    }
    await until(async () => {
      const rows = await gateway.database.query(`select 1 from refund where state = 'confirmed'`)
      return rows.length === 1
    })
    await expectBooksRight(gateway)
  })
})

/** Numbers that were taken and are not mined. */
async function gapOf({ database, chains, till }: PaidGateway): Promise<number> {
  const [lane] = await database.query<{ next: number }>('select next from gas_nonce')
  const mined = await chains.x402.rpc('eth_getTransactionCount', [till.gasWallet.address, 'latest'])
  return (lane?.next ?? 0) - Number(mined)
}
