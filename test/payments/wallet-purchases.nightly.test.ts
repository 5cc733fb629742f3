// kill -9 around a payment to a seller, and sellers that never answer: a possible purchase waits for the operator, a
// call that bought nothing is refunded, and nothing is paid twice.
import { Client } from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { adminToken } from '#test/harness.ts'
import { until as untilHolds } from '#test/until.ts'
import { type KillableGateway, shareKillableGateways } from './killable-gateway.ts'
import { type ChainRail, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { received } from './payers.ts'
import { buyerSettings, type StubSeller, startStubSeller } from './stub-seller.ts'

const price = 20_000n
const pollIntervalMs = 20
const key = { 'idempotency-key': 'order-of-mine' }
const drug = { product_ndc: '0002-1433', brand_name: 'Trulicity' }

/** An order that cannot be undone, and a request to a paid endpoint. */
const calls = {
  'ns_newsletter/post': {
    input: { publication: 'example', post: 'my-post', max_cost_cents: 100 },
    answer: { title: 'A post', contentHtml: '<p>Text</p>' },
  },
  'ns_drugs/search': {
    input: { q: 'Trulicity' },
    answer: { meta: { results: { total: 1 } }, results: [drug] },
  },
} as const
type CallId = keyof typeof calls
const ids = Object.keys(calls) as CallId[]

describe.skipIf(!payments.ok)(`the operator's wallet ${payments.reason}`, () => {
  const chains = shareChains()
  const till = sharePaidGateway(chains)

  /** Gateways that buy on this rail, one after the other. Each vendor has a seller of its own. */
  function shareShop(rail: ChainRail) {
    let sellers: Record<CallId, StubSeller>
    const endings: (() => Promise<void>)[] = []
    const gateways = shareKillableGateways(async () => {
      const open = (id: CallId) =>
        startStubSeller(till(), { rails: [rail], body: calls[id].answer }, (work) =>
          endings.unshift(work),
        )
      sellers = {
        'ns_newsletter/post': await open('ns_newsletter/post'),
        'ns_drugs/search': await open('ns_drugs/search'),
      }
      const { privateKey } = await chains().createPayer()
      return {
        ...buyerSettings(privateKey, till()),
        NS_NEWSLETTER_BASE_URL: sellers['ns_newsletter/post'].url,
        NS_DRUGS_BASE_URL: sellers['ns_drugs/search'].url,
      }
    })
    afterAll(async () => {
      for (const end of endings) await end()
    })

    /** A new account that makes this call. */
    async function openBuyer(gateway: KillableGateway, id: CallId) {
      const seller = sellers[id]
      seller.reset()
      const opened = await ask(gateway, 'POST', '/api/v1/admin/accounts', adminToken, {
        balance_cents: 500,
      })
      return {
        id,
        seller,
        call: (gateway: KillableGateway) =>
          ask(gateway, 'POST', `/api/run/${id}`, opened.api_key, calls[id].input, key),
        account: (gateway: KillableGateway) =>
          ask(gateway, 'GET', '/api/v1/account', opened.api_key),
        async purchases(gateway: KillableGateway) {
          const { purchases } = await ask(gateway, 'GET', '/api/v1/admin/purchases', adminToken)
          return purchases.filter(
            ({ account_id }: { account_id: string }) => account_id === opened.account_id,
          )
        },
      }
    }
    return {
      gateways,
      async open() {
        const gateway = await gateways.living()
        return { gateway, buyers: await Promise.all(ids.map((id) => openBuyer(gateway, id))) }
      },
    }
  }

  const shops = { x402: shareShop('x402'), mpp: shareShop('mpp') }

  test.each(rails)(
    '%s: a gateway that is killed between the payment and the answer leaves it to the operator',
    async (rail) => {
      const { gateways } = shops[rail]
      const { gateway: first, buyers } = await shops[rail].open()
      for (const { seller } of buyers) seller.manner = 'keeps quiet'
      const lost = buyers.map(({ call }) => call(first).catch(() => undefined))
      for (const { seller } of buyers) await seller.taken(1)
      await gateways.kill()
      expect(await Promise.all(lost)).toEqual([undefined, undefined])
      for (const { seller } of buyers) seller.manner = 'delivers'

      const second = await gateways.living()
      for (const { id, seller, call, account, purchases } of buyers) {
        const [listed] = await purchases(second)
        expect(listed).toMatchObject({
          action: id,
          doubt: 'The gateway stopped while the order was under way.',
          idempotency_key: key['idempotency-key'],
          payments: [{ protocol: rail, usd: '0.020000', answered_at: null }],
        })
        for (let turn = 0; turn < 3; turn += 1) {
          expect(await call(second)).toMatchObject({ error: 'outcome_unknown' })
        }
        expect(seller.paid).toHaveLength(1)

        const resolved = await ask(
          second,
          'POST',
          `/api/v1/admin/purchases/${listed.transaction_id}`,
          adminToken,
          { outcome: 'charge', charged_cents: 2, note: 'The chain has it.' },
        )
        expect(resolved).toMatchObject({ outcome: 'charge', charged_cents: 2 })
        expect(await account(second)).toMatchObject({ available_cents: 498, held_cents: 0 })
        const path = `/api/v1/admin/transactions/${listed.transaction_id}`
        expect(await ask(second, 'GET', path, adminToken)).toMatchObject({ cost_usd: '0.020000' })
      }
      expect(await received(till(), rail)).toBe(2n * price)
    },
  )

  test.each(rails)(
    '%s: a gateway that is killed before the payment left has paid nothing',
    async (rail) => {
      const { gateways } = shops[rail]
      const { gateway: first, buyers } = await shops[rail].open()
      const session = new Client({ connectionString: gateways.databaseUrl() })
      session.on('error', () => {})
      await session.connect()
      onTestFinished(() => session.end())
      await session.query('begin')
      await session.query('lock table seller_payment in access exclusive mode')
      const lost = buyers.map(({ call }) => call(first).catch(() => undefined))
      const waiting = async () => {
        // A transaction keeps its first snapshot of the activity until the snapshot is cleared.
        await session.query('select pg_stat_clear_snapshot()')
        const { rows } = await session.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where wait_event_type = 'Lock' and query ~ 'seller_payment_start' and datname = current_database()`,
        )
        return rows.map(({ pid }) => pid)
      }
      await until(async () => (await waiting()).length === buyers.length)
      const pids = await waiting()
      await gateways.kill()
      await Promise.all(lost)
      // What it had asked of the database is forgotten with it.
      for (const pid of pids) await session.query('select pg_terminate_backend($1)', [pid])
      await session.query('rollback')

      const second = await gateways.living()
      expect(await received(till(), rail)).toBe(0n)
      for (const { id, seller, account, purchases } of buyers) {
        expect(seller.paid).toEqual([])
        if (id === 'ns_newsletter/post') {
          // An order is recorded before its price is requested. It can be voided because it has no payment.
          expect(await purchases(second)).toMatchObject([{ payments: [] }])
          continue
        }
        expect(await purchases(second)).toEqual([])
        await until(async () => (await account(second)).held_cents === 0)
        expect(await account(second)).toMatchObject({ available_cents: 500 })
      }
    },
  )

  test('a purchase is in doubt when the seller takes the payment and does not answer in time', async () => {
    const open = await Promise.all(
      rails.map(async (rail) => ({ rail, ...(await shops[rail].open()) })),
    )
    const silent = async (rail: ChainRail, gateway: KillableGateway, buyer: Buyer) => {
      buyer.seller.manner = 'keeps quiet'
      const first = await buyer.call(gateway)
      expect(first).toMatchObject({ error: 'outcome_unknown' })
      expect(await buyer.call(gateway)).toEqual(first)
      expect(buyer.seller.paid).toHaveLength(1)
      expect(await buyer.purchases(gateway)).toMatchObject([{ payments: [{ protocol: rail }] }])
    }
    // Concurrently, because each takes as long as a seller may be silent.
    await Promise.all(
      open.flatMap(({ rail, gateway, buyers }) =>
        buyers.map((buyer) => silent(rail, gateway, buyer)),
      ),
    )
    for (const rail of rails) expect(await received(till(), rail)).toBe(2n * price)
  })

  type Buyer = Awaited<ReturnType<(typeof shops)[ChainRail]['open']>>['buyers'][number]
})

async function ask(
  { url }: KillableGateway,
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<UntypedJson> {
  const reply = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return await reply.json()
}

const until = (condition: () => Promise<boolean>) =>
  untilHolds(condition, { everyMs: pollIntervalMs })
