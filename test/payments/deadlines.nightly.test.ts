// Payments that expire while the work, the node or the refund is slow. Waits for real chains.
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { expectBooksLikeChains, expectBooksRight } from './books.ts'
import { tempoClient } from './forgeries.ts'
import { createHurriedClock } from './hurried-clock.ts'
import { startKillableGateway } from './killable-gateway.ts'
import {
  chainOf,
  openTill,
  type PaidGateway,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { buy, present, received, sign } from './payers.ts'
import { settleDown } from './soak.ts'

const price = 20_000n
const timeoutMs = 60_000

describe.skipIf(!payments.ok)(`deadlines of payments ${payments.reason}`, () => {
  const chains = shareChains()
  const shared = sharePaidGateway(chains)
  beforeEach(() => settleDown(shared()))

  /** Its clock runs faster once it is hurried, so it is not shared. */
  async function startHurried() {
    const { clock, hurry } = createHurriedClock()
    return { gateway: await startPaidGateway(chains(), { clock }), hurry }
  }

  test('a node that is unreachable for ten seconds while payments settle: no wallet pays twice, and all are answered', async () => {
    const gateway = shared()
    const running = await Promise.all(
      rails.map(async (rail) => {
        const payment = await sign(gateway, rail, 'test/slow')
        return { rail, payment, first: present(gateway, 'test/slow', {}, payment) }
      }),
    )
    await gateway.provider.waiting(rails.length)
    for (const rail of rails) gateway.till.node[rail].down()
    gateway.provider.release()
    await delay(10_000)
    for (const rail of rails) gateway.till.node[rail].up()
    for (const { rail, payment, first } of running) {
      const told = await first
      expect([200, 503]).toContain(told.status)
      const settled = await present(gateway, 'test/slow', {}, payment)
      expect([rail, settled.status]).toEqual([rail, 200])
      expect(await received(gateway, rail)).toBe(price)
    }
    expect(gateway.provider.asked.length).toBe(rails.length)
    await expectBooksRight(gateway)
  })

  test('MPP: the payment of a long call is settled before it expires, and refunded if the call fails', async () => {
    const gateway = shared()
    const [settledBefore, refundedBefore] = [await settled(gateway), await refunded(gateway)]
    const begin = async (action: string) => {
      const payment = await sign(gateway, 'mpp', action)
      return { reply: present(gateway, action, {}, payment) }
    }
    const [answered, failing] = [await begin('test/slow'), await begin('test/slow-fails')]
    await until(async () => (await settled(gateway)) === settledBefore + 2)
    // Both payments are settled and the work continues.
    expect(await received(gateway, 'mpp')).toBe(2n * price)
    expect(gateway.provider.asked).toEqual([])
    gateway.provider.release()
    expect((await answered.reply).body).toMatchObject({ ok: true, charged_cents: 2 })
    const failed = await failing.reply
    expect([failed.status, failed.body.data.refund.amount]).toEqual([502, '0.020000'])
    await until(async () => (await refunded(gateway)) === refundedBefore + 1)
    await expectBooksRight(gateway)
  })

  test('MPP: a wallet that is emptied while its call runs gets no answer, and pays first from then on', async () => {
    const gateway = shared()
    const before = await refunded(gateway)
    const payer = await chains().createPayer(200_000n)
    const body = { text: 'withheld' }
    const payment = await sign(gateway, 'mpp', 'test/slow', body, { wallet: payer })
    const running = present(gateway, 'test/slow', body, payment)
    await gateway.provider.waiting(1)
    await tempoClient(chains(), payer).token.transferSync({
      token: chains().mpp.asset,
      to: chains().wallets.otherPayer.address,
      amount: 185_000n,
    })
    gateway.provider.release()
    const told = [await running]
    await until(async () => {
      told.push(await present(gateway, 'test/slow', body, payment))
      return told.at(-1)?.status !== 503
    })
    for (const reply of told) expect(JSON.stringify(reply.body)).not.toContain('withheld')
    expect(told.at(-1)?.body.error).toBe('settlement_failed')
    expect(await received(gateway, 'mpp')).toBe(0n)
    await chains().mpp.mint(payer.address, 1_000_000n)
    const next = await buy(gateway, 'mpp', 'test/fails', { code: 'all_blocked' }, { wallet: payer })
    expect(next.body.data.refund.status).toBe('pending')
    await until(async () => (await refunded(gateway)) === before + 1)
    await expectBooksRight(gateway)
  })

  test('MPP: a wallet that can no longer pay even the fee pays first from then on', async () => {
    const { gateway, hurry } = await startHurried()
    const words = 'insufficient funds for gas * price + value: have 0 want 1'
    const payment = await sign(gateway, 'mpp', 'test/echo')
    gateway.till.node.mpp.refuse('eth_sendRawTransaction', { code: -32_000, message: words }, 1_000)
    hurry()
    await until(async () => {
      const { body } = await present(gateway, 'test/echo', {}, payment)
      return body.error === 'settlement_failed'
    })
    expect(await gateway.database.query('select strikes from wallet_strike')).toEqual([
      { strikes: 1 },
    ])
    await expectBooksRight(gateway)
  })

  describe('kill -9 while a refund is paid', () => {
    const points = [
      { name: 'before it is signed', method: { x402: 'eth_estimateGas', mpp: 'eth_estimateGas' } },
      {
        name: 'after it is sent, before the reply',
        method: { x402: 'eth_sendRawTransaction', mpp: 'eth_sendRawTransaction' },
      },
      {
        name: 'before it is confirmed',
        method: { x402: 'eth_sendRawTransaction', mpp: 'eth_sendRawTransaction' },
        afterwards: { x402: 'eth_call', mpp: 'eth_getTransactionReceipt' },
      },
    ] as const
    test.each(points)('$name: it is paid once', async (point) => {
      const databaseUrl = await createTestDatabase()
      const dataDir = await makeDataDirectory()
      onTestFinished(() => removeDataDirectory(dataDir))
      const till = await openTill(chains())
      const refundWallet = await chains().createPayer(0n)
      const env = {
        ...till.env,
        X402_REFUND_KEY: refundWallet.privateKey,
        MPP_REFUND_KEY: refundWallet.privateKey,
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        SETTLE_BEFORE_CENTS: '0',
      }
      const database = openDatabase({ connectionString: databaseUrl, log: silentLog })
      onTestFinished(() => database.close())
      const first = await startKillableGateway(env)
      onTestFinished(() => first.kill())
      const body = { code: 'all_blocked' }
      for (const rail of rails) {
        const payment = await sign({ url: first.url, chains: chains() }, rail, 'test/fails', body)
        expect((await present(first, 'test/fails', body, payment)).status).toBe(502)
      }
      // The refund wallet is empty until the trap is set.
      await until(async () => (await rowsOf(`refund where error is not null`)) === rails.length)
      const before = Object.fromEntries(rails.map((rail) => [rail, till.node[rail].seen.length]))
      for (const rail of rails) {
        const node = till.node[rail]
        if ('afterwards' in point) continue
        if (point.method[rail] === 'eth_estimateGas') node.delay('eth_estimateGas', timeoutMs, 100)
        else node.dropReply('eth_sendRawTransaction', 100)
      }
      for (const rail of rails) await chainOf(chains(), rail).mint(refundWallet.address, 1_000_000n)
      await Promise.all(
        rails.map(async (rail) => {
          const node = till.node[rail]
          await until(async () => node.seen.slice(before[rail]).includes(point.method[rail]))
          if ('afterwards' in point) node.delay(point.afterwards[rail], timeoutMs, 100)
        }),
      )
      await first.kill()
      for (const rail of rails) till.node[rail].up()
      // The gateway that had the refund is dead. The next one resumes it at once instead of after the lease.
      await database.query('update refund set next_attempt_at = now()')
      const second = await startKillableGateway(env)
      onTestFinished(() => second.kill())
      await until(async () => (await rowsOf(`refund where state = 'confirmed'`)) === rails.length)
      await expectBooksLikeChains(database, chains(), { ...till, refundWallet })

      async function rowsOf(table: string) {
        return (await database.query(`select 1 from ${table}`)).length
      }
    })
  })

  // Runs last, because it moves the chains’ clocks into the future.
  test.each(rails)(
    '%s: a payment is reported dead once it can never be settled, and not before',
    async (rail) => {
      const { gateway, hurry } = await startHurried()
      const chain = chainOf(chains(), rail)
      const payment = await sign(gateway, rail, 'test/echo', { text: 'withheld' })
      gateway.till.node[rail].dropRequest('eth_sendRawTransaction', 1_000_000)
      hurry()
      const pending = await present(gateway, 'test/echo', { text: 'withheld' }, payment)
      expect([pending.status, pending.body.error]).toEqual([503, 'payment_pending'])
      await chain.increaseTime(200)
      const dead = await present(gateway, 'test/echo', { text: 'withheld' }, payment)
      expect([dead.status, dead.body.error]).toEqual([402, 'settlement_failed'])
      expect(JSON.stringify(dead.body)).not.toContain('withheld')
      expect(await received(gateway, rail)).toBe(0n)
      // This gateway's node lost the transaction, so the payer is not to blame.
      expect(await gateway.database.query('select 1 from wallet_strike')).toEqual([])
      await expectBooksRight(gateway)
    },
  )
})

const settled = ({ database }: PaidGateway) =>
  database.query(`select 1 from payment where state = 'settled'`).then((rows) => rows.length)
const refunded = ({ database }: PaidGateway) =>
  database.query(`select 1 from refund where state = 'confirmed'`).then((rows) => rows.length)
