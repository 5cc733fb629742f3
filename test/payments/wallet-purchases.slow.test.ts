// kill -9 around a payment to a seller, and sellers that never answer: a possible purchase waits for the operator, a
// call that bought nothing is refunded, and nothing is paid twice.
import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { adminToken } from '#test/harness.ts'
import { until as untilHolds } from '#test/until.ts'
import { type KillableGateway, startKillableGateway } from './killable-gateway.ts'
import { type ChainRail, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { received } from './payers.ts'
import { buyerSettings, startStubSeller } from './stub-seller.ts'

const price = 20_000n
const pollIntervalMs = 20
const key = { 'idempotency-key': 'order-of-mine' }
const drug = { product_ndc: '0002-1433', brand_name: 'Trulicity' }

/** An order that cannot be undone, and a request to a paid endpoint. */
const calls = {
  'ns_newsletter/post': {
    input: { publication: 'example', post: 'my-post' },
    answer: { title: 'A post', contentHtml: '<p>Text</p>' },
  },
  'ns_drugs/search': {
    input: { q: 'Trulicity' },
    answer: { meta: { results: { total: 1 } }, results: [drug] },
  },
} as const
type CallId = keyof typeof calls
const cases = rails.flatMap((rail) =>
  (Object.keys(calls) as CallId[]).map((id) => [id, rail] as const),
)

describe.skipIf(!payments.ok)(`the operator's wallet ${payments.reason}`, () => {
  const chains = shareChains()
  const till = sharePaidGateway(chains)

  async function openShop(id: CallId, rail: ChainRail) {
    const seller = await startStubSeller(till(), { rails: [rail], body: calls[id].answer })
    const { privateKey } = await chains().createPayer()
    const dataDirectory = await makeDataDirectory()
    onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
    const databaseUrl = await createTestDatabase(onTestFinished)
    const session = new Client({ connectionString: databaseUrl })
    session.on('error', () => {})
    const namespace = id.slice(0, id.indexOf('/')).toUpperCase()
    const env = {
      ...buyerSettings(privateKey, till()),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDirectory,
      [`${namespace}_BASE_URL`]: seller.url,
    }
    const start = async () => {
      const gateway = await startKillableGateway(env)
      onTestFinished(() => gateway.kill())
      return gateway
    }
    const first = await start()
    await session.connect()
    onTestFinished(() => session.end())
    const opened = await ask(first, 'POST', '/api/v1/admin/accounts', adminToken, {
      balance_cents: 500,
    })
    const before = await received(till(), rail)
    return {
      seller,
      session,
      first,
      start,
      call: (gateway: KillableGateway) =>
        ask(gateway, 'POST', `/api/run/${id}`, opened.api_key, calls[id].input, key),
      account: (gateway: KillableGateway) => ask(gateway, 'GET', '/api/v1/account', opened.api_key),
      purchases: async (gateway: KillableGateway) =>
        (await ask(gateway, 'GET', '/api/v1/admin/purchases', adminToken)).purchases,
      took: async () => (await received(till(), rail)) - before,
    }
  }

  test.each(cases)(
    '%s by %s: a gateway that is killed between the payment and the answer leaves it to the operator',
    async (id, rail) => {
      const shop = await openShop(id, rail)
      shop.seller.manner = 'keeps quiet'
      const lost = shop.call(shop.first).catch(() => undefined)
      await shop.seller.taken(1)
      await shop.first.kill()
      expect(await lost).toBeUndefined()
      shop.seller.manner = 'delivers'

      const second = await shop.start()
      const [listed] = await shop.purchases(second)
      expect(listed).toMatchObject({
        action: id,
        doubt: 'The gateway stopped while the order was under way.',
        idempotency_key: key['idempotency-key'],
        payments: [{ protocol: rail, usd: '0.020000', answered_at: null }],
      })
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await shop.call(second)).toMatchObject({ error: 'outcome_unknown' })
      }
      expect(shop.seller.paid).toHaveLength(1)
      expect(await shop.took()).toBe(price)

      const resolved = await ask(
        second,
        'POST',
        `/api/v1/admin/purchases/${listed.transaction_id}`,
        adminToken,
        { outcome: 'charge', charged_cents: 2, note: 'The chain has it.' },
      )
      expect(resolved).toMatchObject({ outcome: 'charge', charged_cents: 2 })
      expect(await shop.account(second)).toMatchObject({ available_cents: 498, held_cents: 0 })
      const path = `/api/v1/admin/transactions/${listed.transaction_id}`
      expect(await ask(second, 'GET', path, adminToken)).toMatchObject({ cost_usd: '0.020000' })
    },
  )

  test.each(cases)(
    '%s by %s: a gateway that is killed before the payment left has paid nothing',
    async (id, rail) => {
      const shop = await openShop(id, rail)
      await shop.session.query('begin')
      await shop.session.query('lock table seller_payment in access exclusive mode')
      const lost = shop.call(shop.first).catch(() => undefined)
      const waiting = async () => {
        // A transaction keeps its first snapshot of the activity until the snapshot is cleared.
        await shop.session.query('select pg_stat_clear_snapshot()')
        const { rows } = await shop.session.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where wait_event_type = 'Lock' and query ~ 'seller_payment_start' and datname = current_database()`,
        )
        return rows.map(({ pid }) => pid)
      }
      await until(async () => (await waiting()).length > 0)
      const pids = await waiting()
      await shop.first.kill()
      await lost
      // What it had asked of the database is forgotten with it.
      for (const pid of pids) await shop.session.query('select pg_terminate_backend($1)', [pid])
      await shop.session.query('rollback')

      const second = await shop.start()
      expect(shop.seller.paid).toEqual([])
      expect(await shop.took()).toBe(0n)
      if (id === 'ns_newsletter/post') {
        // An order is recorded before its price is requested. It can be voided because it has no payment.
        expect(await shop.purchases(second)).toMatchObject([{ payments: [] }])
        return
      }
      expect(await shop.purchases(second)).toEqual([])
      await until(async () => (await shop.account(second)).held_cents === 0)
      expect(await shop.account(second)).toMatchObject({ available_cents: 500 })
    },
  )

  test('a purchase is in doubt when the seller takes the payment and does not answer in time', async () => {
    const silent = async (rail: ChainRail, shop: Awaited<ReturnType<typeof openShop>>) => {
      shop.seller.manner = 'keeps quiet'
      const first = await shop.call(shop.first)
      expect(first).toMatchObject({ error: 'outcome_unknown' })
      expect(await shop.call(shop.first)).toEqual(first)
      expect(shop.seller.paid).toHaveLength(1)
      expect(await shop.purchases(shop.first)).toMatchObject([{ payments: [{ protocol: rail }] }])
    }
    const before = await Promise.all(rails.map((rail) => received(till(), rail)))
    const shops: [ChainRail, Awaited<ReturnType<typeof openShop>>][] = []
    for (const [id, rail] of cases) shops.push([rail, await openShop(id, rail)])
    // Concurrently, because each takes as long as a seller may be silent.
    await Promise.all(shops.map(([rail, shop]) => silent(rail, shop)))
    const after = await Promise.all(rails.map((rail) => received(till(), rail)))
    expect(after.map((sum, place) => sum - (before[place] ?? 0n))).toEqual(
      rails.map(() => 2n * price),
    )
  })
})

async function ask(
  { url }: KillableGateway,
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: each test states its expectations of a body.
): Promise<any> {
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
