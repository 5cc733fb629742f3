// Faults of a chain during a payment: lost replies, stalls, reverts, lost transactions. No wallet pays twice or is
// asked to pay again while its first payment may still count, and no answer is given away.
import { toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Reply } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { countRows, expectBooksRight } from './books.ts'
import { cancelAuthorization, carryOutTogether, decode, forgeX402, readX402 } from './forgeries.ts'
import { createHurriedClock } from './hurried-clock.ts'
import {
  type ChainRail,
  chainOf,
  type PaidGateway,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { challenge, type Headers, present, received, sign } from './payers.ts'
import { settleDown } from './soak.ts'

const price = 20_000n

describe.skipIf(!payments.ok)(`payments in progress ${payments.reason}`, () => {
  const chains = shareChains()
  const shared = sharePaidGateway(chains)
  beforeEach(() => settleDown(shared()))

  /** Its clock runs faster once it is hurried, so it is not shared. */
  async function startHurried() {
    const { clock, hurry } = createHurriedClock()
    return { gateway: await startPaidGateway(chains(), { clock }), hurry }
  }

  describe.each(rails)('%s', (rail) => {
    test('the reply to the broadcast is lost: answered or told to come back, and paid once', async () => {
      const gateway = shared()
      const payment = await sign(gateway, rail, 'test/echo')
      gateway.till.node[rail].dropReply(/^eth_sendRawTransaction/)
      const first = await present(gateway, 'test/echo', {}, payment)
      expect([200, 503]).toContain(first.status)
      const second = await present(gateway, 'test/echo', {}, payment)
      expect([second.status, second.body.data]).toEqual([200, { echo: 'hello' }])
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      await expectBooksRight(gateway)
    })

    test('the broadcast itself is lost: it is sent again, and paid once', async () => {
      const gateway = shared()
      const payment = await sign(gateway, rail, 'test/echo')
      gateway.till.node[rail].dropRequest(/^eth_sendRawTransaction/)
      const first = await present(gateway, 'test/echo', {}, payment)
      expect([200, 503]).toContain(first.status)
      expect((await present(gateway, 'test/echo', {}, payment)).status).toBe(200)
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      await expectBooksRight(gateway)
    })

    test('while the node is unreachable nothing is taken, and the payment is accepted later', async () => {
      const gateway = shared()
      const payment = await sign(gateway, rail, 'test/echo')
      const before = await countRows(gateway, 'payment')
      gateway.till.node[rail].down()
      const away = await present(gateway, 'test/echo', {}, payment)
      expect([away.status, away.body.error]).toEqual([503, 'unavailable'])
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await countRows(gateway, 'payment')).toBe(before)
      expect(gateway.provider.asked).toEqual([])
      gateway.till.node[rail].up()
      expect((await present(gateway, 'test/echo', {}, payment)).status).toBe(200)
      expect(await received(gateway, rail)).toBe(price)
    })

    test('without a receipt the caller is told to repeat the same payment, and never to pay again', async () => {
      const { gateway, hurry } = await startHurried()
      const payment = await sign(gateway, rail, 'test/echo', { text: 'withheld' })
      const receipts = 'eth_getTransactionReceipt'
      const error = { code: -32_000, message: 'header not found' }
      const node = gateway.till.node[rail]
      node.refuse(receipts, error, 1_000_000)
      if (rail === 'x402') node.refuse('eth_getLogs', error, 1_000_000)
      const asked = node.seen.length
      const presented = present(gateway, 'test/echo', { text: 'withheld' }, payment)
      // From then on the payment is on its way, also on a machine that is slower than a hurried clock.
      await expect.poll(() => node.seen.slice(asked)).toContain(receipts)
      hurry()
      const pending = await presented
      expect([pending.status, pending.body.error]).toEqual([503, 'payment_pending'])
      expect(pending.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(pending.headers.get('payment-required')).toBeNull()
      expect(pending.headers.get('www-authenticate')).toBeNull()
      expect(JSON.stringify(pending.body)).not.toContain('withheld')
      if (rail === 'x402') {
        const told = decode(pending.headers.get('payment-response') ?? '')
        expect(told).toMatchObject({ success: false, errorReason: 'settlement_pending' })
        expect(told.transaction).toMatch(/^0x/)
      }
      node.up()
      const settled = await present(gateway, 'test/echo', { text: 'withheld' }, payment)
      expect([settled.status, settled.body.data]).toEqual([200, { echo: 'withheld' }])
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
    })

    test('a lost answer is returned to a new payment with the same Idempotency-Key, and the new payment is not taken', async () => {
      const gateway = shared()
      const headers = { 'idempotency-key': `order-1-${rail}` }
      const payment = await sign(gateway, rail, 'test/echo', {}, { headers })
      const first = await present(gateway, 'test/echo', {}, { ...headers, ...payment })
      const fresh = await sign(gateway, rail, 'test/echo')
      const paid = await present(gateway, 'test/echo', {}, { ...headers, ...fresh })
      expect([paid.status, paid.body]).toEqual([200, first.body])
      expect(paid.headers.get('idempotency-replayed')).toBe('true')
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
    })
  })

  test.each(rails)(
    '%s: the gateway waits for a stalled chain, and answers the call with its next block',
    async (rail) => {
      const { gateway, hurry } = await startHurried()
      const chain = chainOf(chains(), rail)
      const payment = await sign(gateway, rail, 'test/echo')
      await chain.automine(false)
      hurry()
      const pending = await present(gateway, 'test/echo', {}, payment).finally(() =>
        chain.automine(true),
      )
      expect([pending.status, pending.body.error]).toEqual([503, 'payment_pending'])
      const settled = await present(gateway, 'test/echo', {}, payment)
      expect([settled.status, settled.body.data]).toEqual([200, { echo: 'hello' }])
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      await expectBooksRight(gateway)
    },
  )

  describe('the payer withdraws its money while the call runs', () => {
    test('x402: a cancelled authorization gets no answer, and its wallet pays first from then on', async () => {
      const gateway = shared()
      const payer = await chains().createPayer()
      const key = payer.privateKey
      const payment = await forgeX402(gateway, 'test/slow', { text: 'withheld' }, { key })
      const running = present(gateway, 'test/slow', { text: 'withheld' }, payment)
      await gateway.provider.waiting(1)
      const { nonce } = readX402(payment).payload.authorization
      await cancelAuthorization(chains(), payer, nonce as `0x${string}`)
      gateway.provider.release()
      await expectWithheld(await running)
      // The finished answer is not readable in any way.
      await expectWithheld(await present(gateway, 'test/slow', { text: 'withheld' }, payment))
      expect(await received(gateway, 'x402')).toBe(0n)
      const failing = await forgeX402(gateway, 'test/fails', { code: 'all_blocked' }, { key })
      const failed = await present(gateway, 'test/fails', { code: 'all_blocked' }, failing)
      expect([failed.status, failed.body.data.refund.status]).toEqual([502, 'pending'])
    })

    async function expectWithheld(reply: Awaited<ReturnType<typeof present>>) {
      expect([reply.status, reply.body.error]).toEqual([402, 'settlement_failed'])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Payment /)
      expect(JSON.stringify(reply.body)).not.toContain('withheld')
    }
  })

  test('x402: a reverted transaction does not settle the payment, and its payer is not asked for another', async () => {
    const { gateway, hurry } = await startHurried()
    const { x402 } = chains()
    const payment = await sign(gateway, 'x402', 'test/echo')
    await x402.automine(false)
    const running = present(gateway, 'test/echo', {}, payment)
    try {
      await seen(gateway, 'eth_sendRawTransaction')
      // The transaction is in the pool. The token pauses before its block.
      await pause(true)
      await x402.mine()
      hurry()
    } finally {
      await x402.automine(true)
    }
    const told = await running
    await pause(false)
    expect([told.status, told.body.error]).toEqual([503, 'payment_pending'])
    expect(await received(gateway, 'x402')).toBe(0n)

    /** Writes the token's `paused` itself: a transaction that sets it would wait for the same block. */
    async function pause(on: boolean) {
      await x402.rpc('anvil_setStorageAt', [
        x402.asset,
        toHex(5, { size: 32 }),
        toHex(on, { size: 32 }),
      ])
    }
  })

  test('x402: two payments that a stranger has carried out in one transaction both count', async () => {
    const gateway = shared()
    const bodies = [{ text: 'one' }, { text: 'two' }]
    const signed = await Promise.all(bodies.map((body) => sign(gateway, 'x402', 'test/slow', body)))
    const running = signed.map((payment, place) =>
      present(gateway, 'test/slow', bodies[place], payment),
    )
    await gateway.provider.waiting(2)
    await carryOutTogether(chains(), signed)
    gateway.provider.release()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
    expect(await received(gateway, 'x402')).toBe(2n * price)
    await expectBooksRight(gateway)
  })

  test.each(rails)(
    '%s: 50 requests with one payment: one run, one debit, one answer',
    async (rail) => {
      const gateway = await startPaidGateway(chains())
      const payment = await sign(gateway, rail, 'test/slow')
      const all = Array.from({ length: 50 }, () => present(gateway, 'test/slow', {}, payment))
      // If none of them runs, their replies say why.
      await Promise.race([gateway.provider.waiting(1), Promise.all(all)])
      gateway.provider.release()
      const replies = await Promise.all(all)
      const bodies = new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))
      expect([...bodies]).toEqual([expect.stringMatching(/^\[200,/)])
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      await expectBooksRight(gateway)
    },
  )

  test('50 payments at once are all settled, on both rails', async () => {
    const gateway = shared()
    for (const rail of rails) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, (_, call) => payToTheEnd(gateway, rail, { text: String(call) })),
      )
      expect([rail, statuses]).toEqual([rail, Array(50).fill(200)])
      expect(await received(gateway, rail)).toBe(50n * price)
    }
    await expectBooksRight(gateway)
  })

  test.each(rails)(
    '%s: ten payments of one wallet with one Idempotency-Key are one debit',
    async (rail) => {
      const gateway = shared()
      const headers = { 'idempotency-key': `one-key-for-ten-payments-${rail}` }
      const signed = await Promise.all(
        Array.from({ length: 10 }, () => sign(gateway, rail, 'test/echo', {}, { headers })),
      )
      const replies = await Promise.all(
        signed.map((payment) => present(gateway, 'test/echo', {}, { ...headers, ...payment })),
      )
      for (const reply of replies) expect([200, 409]).toContain(reply.status)
      const answers = new Set(
        replies.filter(({ status }) => status === 200).map(({ body }) => body.transaction_id),
      )
      expect(answers.size).toBe(1)
      expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([price, 1])
      expect((await challenge(gateway, 'test/echo')).status).toBe(402)
    },
  )
})

const presentationIntervalMs = 250

/**
 * As clients do: a payment that is pending, since the chain is slow, is presented again. One that is challenged is dead
 * and was never taken, such as one of Tempo after 30 seconds, so another is signed.
 */
async function payToTheEnd(gateway: PaidGateway, rail: ChainRail, body: object) {
  let payment: Headers | undefined
  let last: Reply | undefined
  const answered = async () => {
    payment ??= await sign(gateway, rail, 'test/echo', body)
    last = await present(gateway, 'test/echo', body, payment)
    if (last.status === 402) payment = undefined
    return last.status !== 402 && last.status !== 503
  }
  await until(answered, { everyMs: presentationIntervalMs })
  return last?.status
}

/** Resolves when the gateway has sent its node this request. */
const seen = ({ till }: PaidGateway, method: string) =>
  until(async () => till.node.x402.seen.includes(method), { everyMs: 20 })
