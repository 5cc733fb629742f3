// A reorganisation removes blocks: payments are sent again, and one that can never be settled again is booked as a
// loss. Each test reverts its chain, so these tests have chains of their own.
import { describe, expect, onTestFinished, test } from 'vitest'
import { startChains } from '#test/chains/chains.ts'
import type { AtEnd } from '#test/database.ts'
import { adminToken, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from './books.ts'
import { cancelAuthorization, readX402, tempoClient } from './forgeries.ts'
import {
  type ChainRail,
  chainOf,
  type PaidGateway,
  payments,
  rails,
  startPaidGateway,
} from './paid-gateway.ts'
import { present, received, sign } from './payers.ts'

const price = 20_000n
const finalAfterBlocks = 5
const env = {
  X402_FINAL_AFTER_BLOCKS: String(finalAfterBlocks),
  MPP_FINAL_AFTER_BLOCKS: String(finalAfterBlocks),
}

describe.skipIf(!payments.ok)(`reorganisations ${payments.reason}`, () => {
  async function open(
    options: Parameters<typeof startPaidGateway>[1] = {},
    atEnd: AtEnd = onTestFinished,
  ) {
    const chains = await startChains()
    atEnd(() => chains.stop())
    return await startPaidGateway(chains, { ...options, env: { ...env, ...options.env } })
  }

  /** Reverts the chain to an earlier block and continues with other blocks. Its pool is empty. */
  async function takeBack(gateway: PaidGateway, rail: ChainRail, snapshot: string) {
    const chain = chainOf(gateway.chains, rail)
    await chain.rpc('evm_revert', [snapshot])
    await chain.rpc('anvil_dropAllTransactions')
  }

  const stateOf = async (gateway: PaidGateway) => {
    const [row] = await gateway.database.query<{ state: string; finality: string; raw: string }>(
      'select state, finality, coalesce(raw_tx, credential) as raw from payment',
    )
    return row
  }
  const treasury = async (gateway: PaidGateway) =>
    (await gateway.request('GET', '/api/v1/admin/treasury', { key: adminToken })).body

  test.each(rails)(
    '%s: the sent transaction is stored until its block is final, and no longer',
    async (rail) => {
      const gateway = await open()
      const reply = await present(gateway, 'test/echo', {}, await sign(gateway, rail, 'test/echo'))
      expect(reply.status).toBe(200)
      expect(await stateOf(gateway)).toMatchObject({ finality: 'open', raw: expect.any(String) })
      await chainOf(gateway.chains, rail).mine(finalAfterBlocks)
      await untilFinal(gateway)
      expect(await stateOf(gateway)).toMatchObject({ state: 'settled', raw: null })
      await expectBooksRight(gateway)
    },
  )

  test.each(rails)(
    '%s: a payment is sent again after a reorganisation removed its block',
    async (rail) => {
      const gateway = await open()
      const chain = chainOf(gateway.chains, rail)
      const payment = await sign(gateway, rail, 'test/echo')
      const snapshot = await chain.rpc('evm_snapshot')
      expect((await present(gateway, 'test/echo', {}, payment)).status).toBe(200)
      expect(await received(gateway, rail)).toBe(price)
      await takeBack(gateway, rail, snapshot)
      expect(await received(gateway, rail)).toBe(0n)
      await until(async () => (await received(gateway, rail)) === price)
      // Over x402 the gas lane may notice it first.
      if (rail === 'mpp')
        expect(gateway.log.messages('error').join()).toMatch(/removed the block of a payment/)
      await chain.mine(finalAfterBlocks)
      await untilFinal(gateway)
      await expectBooksRight(gateway)
      expect((await treasury(gateway)).rails[rail]).toMatchObject({ differences: [] })
    },
  )

  test('x402: an authorization that is then cancelled is a loss, which the operator can read', async () => {
    const gateway = await open()
    const { x402, wallets } = gateway.chains
    const payment = await sign(gateway, 'x402', 'test/echo')
    const snapshot = await x402.rpc('evm_snapshot')
    expect((await present(gateway, 'test/echo', {}, payment)).status).toBe(200)
    gateway.till.node.x402.down()
    await takeBack(gateway, 'x402', snapshot)
    const { nonce } = readX402(payment).payload.authorization
    await cancelAuthorization(gateway.chains, wallets.payer, nonce as `0x${string}`)
    gateway.till.node.x402.up()
    await x402.mine(finalAfterBlocks)
    await expectLoss(gateway, 'x402', /cancelled/)
  })

  test('MPP: a transaction that has expired meanwhile is a loss', async () => {
    const gateway = await open()
    const { mpp, wallets } = gateway.chains
    const payment = await sign(gateway, 'mpp', 'test/echo')
    const snapshot = await mpp.rpc('evm_snapshot')
    expect((await present(gateway, 'test/echo', {}, payment)).status).toBe(200)
    gateway.till.node.mpp.down()
    await takeBack(gateway, 'mpp', snapshot)
    // The payer spends the money of its payment.
    const client = tempoClient(gateway.chains, wallets.payer)
    await client.token.transferSync({
      token: mpp.asset,
      to: wallets.otherPayer.address,
      amount: 1n,
    })
    await mpp.increaseTime(60)
    gateway.till.node.mpp.up()
    await mpp.mine(2 * finalAfterBlocks)
    await expectLoss(gateway, 'mpp', /expired/)
  })

  async function expectLoss(gateway: PaidGateway, rail: ChainRail, reason: RegExp) {
    const mining = setInterval(
      () =>
        chainOf(gateway.chains, rail)
          .mine()
          .catch(() => {}),
      200,
    )
    await until(async () => (await stateOf(gateway))?.finality === 'lost').finally(() =>
      clearInterval(mining),
    )
    expect(await received(gateway, rail)).toBe(0n)
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
    const { rails: shown, losses } = await treasury(gateway)
    expect(shown[rail].books).toMatchObject({ received_usd: '0.000000', lost_usd: '0.020000' })
    expect(shown[rail].differences).toEqual([])
    expect(losses).toMatchObject([
      { rail, amount_usd: '0.020000', reason: expect.stringMatching(reason) },
    ])
    expect(gateway.log.messages('error').join()).toMatch(/is lost/)
  }

  test.each(rails)(
    '%s: a refund is paid again after a reorganisation removed its block',
    async (rail) => {
      const gateway = await open({ env: { SETTLE_BEFORE_CENTS: '0' } })
      const chain = chainOf(gateway.chains, rail)
      const balance = () => chain.balanceOf(gateway.chains.wallets.payer.address)
      const refundFloat = await chain.balanceOf(gateway.till.refundWallet.address)
      const payment = await sign(gateway, rail, 'test/fails', { code: 'all_blocked' })
      const failed = present(gateway, 'test/fails', { code: 'all_blocked' }, payment)
      expect((await failed).body.data.refund.status).toBe('pending')
      await until(async () => {
        const [row] = await gateway.database.query<{ state: string }>('select state from refund')
        return row?.state === 'confirmed'
      })
      const repaid = await balance()
      // The last blocks, back to the one before the refund, are replaced by blocks without it.
      const [{ block } = { block: 0 }] = await gateway.database.query<{ block: number }>(
        'select settled_block as block from refund',
      )
      const node = gateway.till.node[rail]
      node.refuse('eth_sendRawTransaction', undefined, 1_000_000)
      // A block that came between these two questions would leave the refund's block in place.
      await chain.automine(false)
      const head = Number(await chain.rpc('eth_blockNumber'))
      await chain.rpc('anvil_reorg', [head - Number(block) + 1, []])
      expect(await balance()).toBeLessThan(repaid)
      await chain.automine(true)
      node.up()
      await until(async () => (await balance()) === repaid)
      await chain.mine(finalAfterBlocks)
      await untilFinal(gateway, 'refund')
      expect(await chain.balanceOf(gateway.till.refundWallet.address)).toBeLessThan(refundFloat)
      await expectBooksRight(gateway)
    },
  )

  test('the treasury reports transfers that the books lack', async () => {
    const gateway = await open()
    expect(
      (await present(gateway, 'test/echo', {}, await sign(gateway, 'x402', 'test/echo'))).status,
    ).toBe(200)
    await gateway.chains.x402.mint(gateway.till.payTo, 777n)
    const { rails: shown } = await treasury(gateway)
    expect(shown.x402).toMatchObject({
      agrees: false,
      books: { received_usd: '0.020000', refunded_usd: '0.000000', owed_refunds_usd: '0.000000' },
      chain: { received_usd: '0.020777' },
      differences: [{ kind: 'unknown_deposit', amount_usd: '0.000777' }],
    })
    expect(shown.mpp).toMatchObject({ agrees: true, differences: [] })
    const stranger = await gateway.request('GET', '/api/v1/admin/treasury', { key: 'nonsense' })
    expect(stranger.status).toBe(401)
  })

  /** Makes everything that is open due in the next round. */
  async function untilFinal({ database }: PaidGateway, table: 'payment' | 'refund' = 'payment') {
    await until(async () => {
      // Repeated, because a round that began before the last blocks postpones the next check.
      await database.query(`update ${table} set next_check_at = now() where finality = 'open'`)
      const rows = await database.query(`select from ${table} where finality = 'final'`)
      return rows.length > 0
    })
  }
})
