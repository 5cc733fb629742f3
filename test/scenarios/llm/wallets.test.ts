// Wallets ask language models on every surface of conversations. One payment covers the highest possible cost, and the
// wallet has paid the vendor's count in the end: by x402 upto at once, by MPP after a refund.
import { decodePaymentResponseHeader } from '@x402/fetch'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startLlmGateway } from '#test/llm-gateway.ts'
import { createLogCapture } from '#test/log-capture.ts'
import type { Json } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'
import { countRows, expectBooksRight } from '../../payments/books.ts'
import {
  openTill,
  type PaidGateway,
  payments,
  rails,
  shareChains,
} from '../../payments/paid-gateway.ts'
import { answer, payingFetch, post, readReply } from '../../payments/payers.ts'

/** 100 tokens of prompt and 50 of completion. */
const costMicros = 300n
const ask = 'Hello'
const path = '/api/llm/v1'

/** The same question on each surface. */
const surfaces = {
  chat: {
    url: `${path}/chat/completions`,
    body: { messages: [{ role: 'user', content: ask }], max_tokens: 100 },
    end: 'data: [DONE]',
  },
  messages: {
    url: `${path}/messages`,
    body: { messages: [{ role: 'user', content: ask }], max_tokens: 100 },
    end: 'event: message_stop',
  },
  responses: {
    url: `${path}/responses`,
    body: { input: ask, max_output_tokens: 100 },
    end: 'event: response.completed',
  },
} as const

type LlmTill = PaidGateway & Pick<Awaited<ReturnType<typeof startLlmGateway>>, 'upstream'>

describe.skipIf(!payments.ok)(`wallets that ask models ${payments.reason}`, () => {
  const chains = shareChains()
  const endings: (() => Promise<void>)[] = []
  let gateway: LlmTill
  beforeAll(async () => {
    if (!payments.ok) return
    await chains().x402.plantPermits()
    await chains().x402.approvePermits(chains().wallets.payer.address)
    const till = await openTill(chains())
    const log = createLogCapture()
    const started = await startLlmGateway(
      { log, env: { ...till.env, REFUND_DUST_CENTS: '0' } },
      (work) => endings.unshift(work),
    )
    gateway = { ...started, chains: chains(), till, log, earlier: { x402: 0n, mpp: 0n } }
  })
  beforeEach(() => gateway.upstream.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })

  const send = (url: string, body: Json, headers: Record<string, string> = {}) =>
    fetch(gateway.url + url, post({ model: 'lab/one', ...body }, headers))
  const received = (rail: 'x402' | 'mpp') => chains()[rail].balanceOf(gateway.till.payTo)

  test.each(Object.entries(surfaces))(
    'x402 upto, %s: whole and streamed answers move exactly what they cost, without a refund',
    async (_name, { url, body, end }) => {
      const before = await received('x402')
      const pay = payingFetch('x402', chains(), chains().wallets.payer)
      const whole = await readReply(
        await pay(gateway.url + url, post({ model: 'lab/one', ...body })),
      )
      expect([whole.status, JSON.stringify(whole.body)]).toEqual([
        200,
        expect.stringContaining('quick brown fox'),
      ])
      const receipt = decodePaymentResponseHeader(whole.headers.get('payment-response') ?? '')
      expect(receipt).toMatchObject({ success: true, amount: String(costMicros) })
      expect((await received('x402')) - before).toBe(costMicros)
      const streamed = await pay(
        gateway.url + url,
        post({ model: 'lab/one', stream: true, ...body }),
      )
      expect(await streamed.text()).toContain(end)
      expect((await received('x402')) - before).toBe(2n * costMicros)
      expect(await countRows(gateway, 'refund')).toBe(0)
      expect(gateway.upstream.problems).toEqual([])
    },
  )

  test('an unpaid question is told its highest price in the form of its surface, asks no model and leaves no row', async () => {
    const calls = await countRows(gateway, 'call')
    for (const { url, body } of Object.values(surfaces)) {
      const unpaid = await send(url, body)
      expect(unpaid.status).toBe(402)
      expect(unpaid.headers.get('payment-required')).toBeTruthy()
      expect(unpaid.headers.get('www-authenticate')).toContain('Payment ')
      const { error, price_usd: price, accepts } = (await unpaid.json()) as Json
      expect(error).toMatchObject({ code: 'payment_required' })
      expect(accepts).toMatchObject([{ scheme: 'upto' }])
      expect(Number(accepts[0].amount)).toBe(Math.round(Number(price) * 1e6))
    }
    const capped = await send(surfaces.chat.url, { ...surfaces.chat.body, max_cost_cents: 0 })
    expect([capped.status, ((await capped.json()) as Json).error.code]).toEqual([
      400,
      'max_cost_exceeded',
    ])
    expect([gateway.upstream.asked.length, await countRows(gateway, 'call')]).toEqual([0, calls])
  })

  test.each(rails)(
    '%s: a payment that is sent again gets the same answer once more',
    async (rail) => {
      const { url, body } = surfaces.chat
      const { payer } = chains().wallets
      const payment = await answer(chains(), rail, await send(url, body), payer)
      const before = await received(rail)
      const first = await readReply(await send(url, body, payment))
      const moved = (await received(rail)) - before
      const [again, other] = [
        await readReply(await send(url, body, payment)),
        await readReply(await send(url, { ...body, max_tokens: 99 }, payment)),
      ]
      expect([first.status, again.status, other.status]).toEqual([200, 200, 402])
      expect(again.body).toEqual(first.body)
      expect((await received(rail)) - before).toBe(moved)
      expect(gateway.upstream.asked.length).toBe(1)
    },
  )

  test('MPP: the wallet has paid exactly the cost once the rest is refunded', async () => {
    const { url, body } = surfaces.messages
    const refunded = async () =>
      await gateway.database.query<{ state: string; left: string }>(
        `select r.state, (p.micros - r.micros)::text as left from refund r join payment p on p.id = r.payment_id
         where p.rail = 'mpp' order by r.created_at desc limit 1`,
      )
    const pay = payingFetch('mpp', chains(), chains().wallets.payer)
    const reply = await readReply(await pay(gateway.url + url, post({ model: 'lab/one', ...body })))
    expect(reply.status).toBe(200)
    expect(reply.headers.get('payment-receipt')).toBeTruthy()
    await until(async () => (await refunded())[0]?.state === 'confirmed')
    expect((await refunded())[0]?.left).toBe(String(costMicros))
  })

  test('a failed answer moves no money, and the same payment pays for the next try', async () => {
    const { url, body } = surfaces.responses
    gateway.upstream.behave('one', ({ refuse }) => refuse(500))
    const before = await received('x402')
    const payment = await answer(chains(), 'x402', await send(url, body), chains().wallets.payer)
    expect((await send(url, body, payment)).status).toBe(500)
    expect(await received('x402')).toBe(before)
    gateway.upstream.behave('one', (exchange) => exchange.answer())
    expect((await send(url, body, payment)).status).toBe(200)
    expect((await received('x402')) - before).toBe(costMicros)
  })

  test('a wallet that empties itself during a stream never sees its end, and pays first from then on', async () => {
    const { url, body, end } = surfaces.chat
    const wallet = await chains().createPayer()
    await chains().x402.approvePermits(wallet.address)
    const request = { ...body, stream: true }
    gateway.upstream.behave('one', async (exchange) => {
      await chains().x402.empty(wallet.address)
      exchange.answer()
    })
    const payment = await answer(chains(), 'x402', await send(url, request), wallet)
    const text = await (await send(url, request, payment)).text()
    expect(text).toContain('settlement_failed')
    expect(text).not.toContain(end)
    gateway.upstream.reset()
    await chains().x402.mint(wallet.address, 1_000_000n)
    const before = await received('x402')
    const next = await answer(chains(), 'x402', await send(url, request), wallet)
    expect(await (await send(url, request, next)).text()).toContain(end)
    expect((await received('x402')) - before).toBeGreaterThan(costMicros)
  })

  test('a wallet that has not approved Permit2 is told what to do, and what is kept needs an account', async () => {
    const { url, body } = surfaces.chat
    const wallet = await chains().createPayer()
    const payment = await answer(chains(), 'x402', await send(url, body), wallet)
    const refused = await send(url, body, payment)
    expect([refused.status, ((await refused.json()) as Json).error.message]).toEqual([
      402,
      expect.stringContaining('Approve 0x000000000022d473030f116ddee9f6b43ac78ba3'),
    ])
    const { responses } = surfaces
    const background = await send(responses.url, { ...responses.body, background: true })
    expect(background.status).toBe(400)
    const continued = await send(responses.url, {
      ...responses.body,
      previous_response_id: `resp_${'0'.repeat(32)}`,
    })
    expect(continued.status).toBe(404)
    expect(gateway.upstream.asked.length).toBe(0)
  })

  test('the books equal the chains, to the base unit', async () => {
    await until(async () => {
      const [open] = await gateway.database.query<{ count: number }>(
        `select count(*)::integer as count from refund where state <> 'confirmed'`,
      )
      return open?.count === 0
    })
    await expectBooksRight(gateway)
  })
})
