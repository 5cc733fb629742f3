// The gateway buys from a seller with the operator's wallet on real chains: once, for the exact price, and without a
// retry if the outcome is uncertain.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminToken, type Gateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { type ChainRail, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { received } from './payers.ts'
import { buyerSettings, type StubSeller, startStubSeller } from './stub-seller.ts'

const price = 20_000n
const post = {
  id: 'post-1',
  title: 'A post',
  author: 'Ada',
  url: 'https://example.org/p',
  contentHtml: '<p>Text</p>',
}
const article = { publication: 'example', post: 'my-post', max_cost_cents: 100 }
const vendors = ['NS_NEWSLETTER', 'NS_DRUGS', 'NS_FLIGHTS', 'NS_GEO']
const product = { product_ndc: '0002-1433', brand_name: 'Trulicity' }

describe.skipIf(!payments.ok)(`the operator's wallet ${payments.reason}`, () => {
  const chains = shareChains()
  const till = sharePaidGateway(chains)

  interface Shop {
    readonly gateway: Gateway
    readonly seller: StubSeller
    readonly account: TestAccount
    /** The payments that the seller's till has received on both chains. */
    took(): Promise<bigint>
  }

  /** One gateway that buys on this rail. All vendors of these tests are at the address of its seller. */
  function shareShop(rail: ChainRail) {
    let seller: StubSeller | undefined
    let gateway: Gateway | undefined
    const endings: (() => Promise<void>)[] = []
    const atEnd = (work: () => Promise<void>) => endings.unshift(work)
    if (payments.ok) {
      beforeAll(async () => {
        seller = await startStubSeller(till(), { rails: [rail], body: post }, atEnd)
        const { privateKey } = await chains().createPayer()
        const addresses = vendors.map((vendor) => [`${vendor}_BASE_URL`, seller?.url ?? ''])
        const env = { ...buyerSettings(privateKey, till()), ...Object.fromEntries(addresses) }
        gateway = await startGateway({ env }, atEnd)
      })
      beforeEach(() => seller?.reset())
      afterAll(async () => {
        for (const end of endings) await end()
      })
    }
    /** A new account buys from a seller that replies this. */
    return async function openShop(body: object = post): Promise<Shop> {
      if (seller === undefined || gateway === undefined) throw new Error('The shop is not open.')
      seller.body = body
      const sum = async () => (await received(till(), 'x402')) + (await received(till(), 'mpp'))
      const before = await sum()
      const account = await gateway.account(500)
      return { gateway, seller, account, took: async () => (await sum()) - before }
    }
  }

  const admin = (gateway: Gateway, method: string, path: string, body?: unknown) =>
    gateway.request(method, `/api/v1/admin/${path}`, { key: adminToken, body })
  const purchases = async ({ gateway, account }: Shop) => {
    const { body } = await admin(gateway, 'GET', 'purchases')
    return body.purchases.filter(
      (purchase: { account_id: string }) => purchase.account_id === account.id,
    )
  }

  describe.each(rails)('by %s', (rail) => {
    const openShop = shareShop(rail)

    test('one call buys once, for exactly the price, and the operator can read its cost', async () => {
      const shop = await openShop()
      const key = { 'idempotency-key': 'one-post' }
      const first = await shop.account.call('ns_newsletter/post', article, key)
      expect(first.body).toMatchObject({
        ok: true,
        charged_cents: 2,
        data: { title: 'A post', price_usd: 0.02 },
      })
      const again = await shop.account.call('ns_newsletter/post', article, key)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await shop.took()).toBe(price)
      expect(shop.seller.asked).toEqual(shop.seller.paid)
      const { body } = await admin(shop.gateway, 'GET', `transactions/${first.body.transaction_id}`)
      expect(body).toMatchObject({
        cost_usd: '0.020000',
        payments: [
          {
            protocol: rail,
            payee: till().till.payTo,
            usd: '0.020000',
            chain_reference: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            answered_at: expect.any(String),
            receipt: expect.stringMatching(/.{20}/),
          },
        ],
      })
      expect(await purchases(shop)).toEqual([])
      expect(await verify(shop.gateway)).toMatchObject({ ok: true })
    })

    test('two concurrent calls are two purchases, and two calls with one Idempotency-Key are one', async () => {
      const shop = await openShop()
      const call = (headers = {}) => shop.account.call('ns_newsletter/post', article, headers)
      await Promise.all([call(), call()])
      expect(await shop.took()).toBe(2n * price)
      const key = { 'idempotency-key': 'both' }
      const replies = await Promise.all([call(key), call(key)])
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect((await call(key)).body).toMatchObject({ ok: true })
      expect(await shop.took()).toBe(3n * price)
    })

    test.each(['loses its reply', 'asks again', 'breaks'] as const)(
      'a seller that is paid and then %s is paid once; the operator is told, and nothing is bought again',
      async (manner) => {
        const shop = await openShop()
        shop.seller.manner = manner
        const key = { 'idempotency-key': 'one-post' }
        const first = await shop.account.call('ns_newsletter/post', article, key)
        expect(first.body).toMatchObject({ error: 'outcome_unknown' })
        shop.seller.manner = 'delivers'
        expect((await shop.account.call('ns_newsletter/post', article, key)).body).toEqual(
          first.body,
        )
        expect(shop.seller.paid).toHaveLength(1)
        expect(await shop.took()).toBe(price)
        expect(await shop.account.state()).toMatchObject({ availableCents: 400, heldCents: 100 })
        const id = first.body.data.transaction_id
        expect(await purchases(shop)).toMatchObject([
          {
            transaction_id: id,
            doubt: expect.stringContaining('A payment was sent'),
            payments: [{ protocol: rail, usd: '0.020000', answered_at: null, receipt: null }],
          },
        ])
        const note = 'The chain has the payment.'
        await admin(shop.gateway, 'POST', `purchases/${id}`, {
          outcome: 'void',
          paid: true,
          note,
        })
        expect(await shop.account.state()).toMatchObject({ availableCents: 500, heldCents: 0 })
        const { body } = await admin(shop.gateway, 'GET', `transactions/${id}`)
        expect(body).toMatchObject({ charged_cents: 0, cost_usd: '0.020000' })
        expect(await verify(shop.gateway)).toMatchObject({ ok: true })
      },
    )

    test('a connection that breaks during the payment leaves the purchase in doubt, without a retry', async () => {
      const shop = await openShop()
      shop.seller.manner = 'hangs up'
      const { body } = await shop.account.call('ns_drugs/search', { q: 'Trulicity' })
      expect(body).toMatchObject({ error: 'outcome_unknown' })
      expect(shop.seller.paid).toHaveLength(1)
      expect(await shop.took()).toBe(0n)
      expect(await purchases(shop)).toMatchObject([{ held_cents: 10, payments: [{}] }])
    })

    test('the operator decides whether an unpaid purchase is charged or refunded', async () => {
      const shop = await openShop()
      shop.seller.manner = 'hangs up'
      const { body } = await shop.account.call('ns_drugs/search', { q: 'Trulicity' })
      const id = body.data.transaction_id
      const resolution = { outcome: 'void', note: 'The chain has no such payment.' }
      expect((await admin(shop.gateway, 'POST', `purchases/${id}`, resolution)).status).toBe(200)
      expect(await shop.account.state()).toMatchObject({ availableCents: 500, heldCents: 0 })
      const seen = await admin(shop.gateway, 'GET', `transactions/${id}`)
      expect(seen.body).toMatchObject({ charged_cents: 0, cost_usd: null, payments: [{}] })
    })

    test('the amount that a seller claims changes nothing', async () => {
      const shop = await openShop()
      shop.seller.manner = 'claims more'
      const { body } = await shop.account.call('ns_newsletter/post', article)
      expect(body).toMatchObject({ ok: true, charged_cents: 2, data: { price_usd: 0.02 } })
      expect(await shop.took()).toBe(price)
    })

    test('a price above the price of the call is not paid and costs nothing', async () => {
      const shop = await openShop({ data: [] })
      const { body } = await shop.account.call('ns_flights/flights', { flight_iata: 'AA100' })
      expect(body).toMatchObject({ error: 'max_cost_exceeded' })
      expect(shop.seller.paid).toEqual([])
      expect(await shop.took()).toBe(0n)
      expect(await shop.account.state()).toMatchObject({ availableCents: 500, heldCents: 0 })
      expect(await purchases(shop)).toEqual([])
    })

    test('a paid endpoint of a public registry is paid within the price of the call, which is charged its cost', async () => {
      const shop = await openShop({ meta: { results: { total: 1 } }, results: [product] })
      const { body } = await shop.account.call('ns_drugs/search', { q: 'Trulicity' })
      const data = { total: 1, price_usd: 0.02 }
      expect(body).toMatchObject({ ok: true, charged_cents: 2, data })
      expect(await shop.took()).toBe(price)
      const { body: seen } = await admin(shop.gateway, 'GET', `transactions/${body.transaction_id}`)
      expect(seen).toMatchObject({ cost_usd: '0.020000' })
    })

    const page = (status: number) => ({
      results: [{ content: '<p>Text</p>', status_code: status, url: 'https://example.com/' }],
    })

    test('a bought page is charged at its cost, at the address that sells it', async () => {
      const shop = await openShop(page(200))
      const { body } = await shop.account.call('ns_geo/scrape', { url: 'https://example.com/' })
      expect(body).toMatchObject({ ok: true, charged_cents: 2, data: { price_usd: 0.02 } })
      expect(shop.seller.paid).toEqual([
        expect.stringMatching(/^POST \/v1\/proxy \{.*example\.com/),
      ])
    })

    test('a delivery without a result costs the caller nothing, and the operator its price', async () => {
      const shop = await openShop(page(403))
      const { body } = await shop.account.call('ns_geo/scrape', { url: 'https://example.com/' })
      expect(body).toMatchObject({ ok: false })
      expect(body.error).not.toBe('outcome_unknown')
      expect(await shop.account.state()).toMatchObject({ availableCents: 500, heldCents: 0 })
      expect(await purchases(shop)).toEqual([])
      const [paid] = await shop.gateway.database.query(
        `select c.cost, p.answered_at is not null as answered
         from call c join seller_payment p on p.call_id = c.id where c.account_id = $1`,
        [shop.account.id],
      )
      expect(paid).toEqual({ cost: 20_000, answered: true })
    })
  })
})
