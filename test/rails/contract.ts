// The guarantees of every payment rail, tested on a whole gateway that the rail's own client pays over HTTP.
import { describe, expect, test } from 'vitest'
import type { RailDefinition } from '#money/rails/definition.ts'
import { adminToken, type Gateway, type Reply, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'

export interface RailUnderTest {
  readonly definition: RailDefinition
  /** A gateway that is paid on this rail. It settles before it runs from 10¢ on. */
  readonly gateway: Gateway
  /** The headers with which a wallet with enough funds answers this 402. */
  pay(challenged: Response): Promise<Readonly<Record<string, string>>>
}

/** The settings that the gateway of a rail under test needs besides the rail's own. */
export const contractSettings = { SETTLE_BEFORE_CENTS: '10' }

/** Registers the tests of one rail. `open` is called while they run. */
export function testRail(title: string, open: () => RailUnderTest): void {
  describe(`payment rail ${title}`, () => {
    testListing(open)
    testCalls(open)
    testMoney(open)
    test('the books add up afterwards', async () => {
      expect(await verify(open().gateway)).toMatchObject({ ok: true, problems: [] })
    })
  })
}

/** Requests by a wallet that pays on this rail. */
function createBuyer(open: () => RailUnderTest) {
  const send = (path: string, body: unknown, headers = {}) =>
    fetch(new URL(path, open().gateway.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const run = async (path: string, body: unknown, headers = {}): Promise<Reply> => {
    const reply = await send(path, body, headers)
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
  const sign = async (path: string, body: unknown) => open().pay(await send(path, body))
  const buy = async (path: string, body: unknown) => run(path, body, await sign(path, body))
  /** Whether a reply speaks the protocol of the rail: with a challenge or a receipt. */
  const isOfRail = ({ headers }: { readonly headers: Headers }) =>
    open().definition.responseHeaders.some((name) => headers.has(name))
  return { send, run, sign, buy, isOfRail }
}

/** The rail's part of the operator's report on its chain. */
async function readTreasury({ gateway, definition }: RailUnderTest) {
  const { body } = await gateway.request('GET', '/api/v1/admin/treasury', { key: adminToken })
  return body.rails[definition.id]
}

const micros = (usd: string) => Math.round(Number(usd) * 1e6)

function testListing(open: () => RailUnderTest): void {
  test('its settings carry its name, and each is described', () => {
    const { id, settings, requires } = open().definition
    for (const [name, setting] of Object.entries(settings))
      expect([name, setting.description]).toEqual([
        expect.stringMatching(new RegExp(`^${id.toUpperCase()}_`)),
        expect.stringMatching(/\.$/),
      ])
    expect(requires.filter((name) => !(name in settings))).toEqual([])
  })

  test('the catalog and OpenAPI say that wallets can pay by it', async () => {
    const { gateway, definition } = open()
    const { price } = (await gateway.request('GET', '/api/run/test/echo')).body
    expect(price.protocols).toContainEqual({ [definition.id]: expect.anything() })
    const { paths } = (await gateway.request('GET', '/openapi.json')).body
    const payment = paths['/api/run/test/echo'].post['x-payment-info']
    expect(payment.protocols).toContainEqual({ [definition.id]: expect.anything() })
    expect(payment.offers).toContainEqual(expect.objectContaining({ amount: '20000' }))
  })

  test('browsers of other origins may send and read its headers', async () => {
    const { gateway, definition } = open()
    const { headers } = await gateway.request('OPTIONS', '/api/run/test/echo')
    for (const name of definition.requestHeaders)
      expect(headers.get('access-control-allow-headers')).toContain(name)
    for (const name of definition.responseHeaders)
      expect(headers.get('access-control-expose-headers')).toContain(name)
  })
}

function testCalls(open: () => RailUnderTest): void {
  const { send, run, sign, isOfRail } = createBuyer(open)

  test('an unpaid call is challenged, and leaves nothing behind', async () => {
    const { gateway } = open()
    const before = gateway.provider.asked.length
    const asked = await send('/api/run/test/echo', { text: 'unpaid' })
    expect([asked.status, isOfRail(asked)]).toEqual([402, true])
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(gateway.provider.asked.length).toBe(before)
  })

  test('a paid call is answered once its price has moved, and a repeated payment returns the same answer', async () => {
    const path = '/api/run/test/echo'
    const body = { text: `paid by ${open().definition.title}` }
    const before = await readTreasury(open())
    const payment = await sign(path, body)
    const paid = await run(path, body, payment)
    expect([paid.status, paid.body]).toMatchObject([200, { ok: true, charged_cents: 2 }])
    expect(isOfRail(paid)).toBe(true)
    const again = await run(path, body, payment)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([paid.body, 'true'])
    const after = await readTreasury(open())
    expect(micros(after.chain.received_usd) - micros(before.chain.received_usd)).toBe(20_000)
    await until(async () => (await readTreasury(open())).agrees)
  })

  test('a payment pays for one request only', async () => {
    const path = '/api/run/test/echo'
    const payment = await sign(path, { text: 'first' })
    expect((await run(path, { text: 'first' }, payment)).status).toBe(200)
    const other = await run(path, { text: 'second' }, payment)
    expect([other.status, other.body.error]).toEqual([402, 'payment_already_used'])
    expect(isOfRail(other)).toBe(true)
  })

  test('a payment of another amount is refused with a new challenge', async () => {
    const { gateway } = open()
    const cheap = await sign('/api/run/test/echo', { text: 'cheap' })
    const before = gateway.provider.asked.length
    const refused = await run('/api/run/test/miss', { found: true }, cheap)
    expect([refused.status, refused.body.error]).toEqual([402, 'payment_invalid'])
    expect(isOfRail(refused)).toBe(true)
    expect(gateway.provider.asked.length).toBe(before)
  })

  test('a header that holds no payment is refused with a new challenge', async () => {
    const [header] = open().definition.payments
    const { name = '', scheme } = header ?? {}
    const headers = { [name]: `${scheme === undefined ? '' : `${scheme} `}bm90aGluZw==` }
    const refused = await run('/api/run/test/echo', {}, headers)
    expect([refused.status, refused.body.error]).toEqual([402, 'payment_invalid'])
    expect(isOfRail(refused)).toBe(true)
  })
}

function testMoney(open: () => RailUnderTest): void {
  const { buy } = createBuyer(open)

  test('a failed call moves no money', async () => {
    const before = await readTreasury(open())
    const failed = await buy('/api/run/test/fails', { code: 'upstream_error' })
    expect(failed.body.ok).toBe(false)
    const after = await readTreasury(open())
    expect(after.chain.received_usd).toBe(before.chain.received_usd)
  })

  test('the uncharged part of a settled payment is refunded', async () => {
    const before = await readTreasury(open())
    const missed = await buy('/api/run/test/miss', { found: false })
    expect([missed.status, missed.body]).toMatchObject([200, { charged_cents: 0 }])
    const refunded = async () =>
      micros((await readTreasury(open())).chain.refunded_usd) - micros(before.chain.refunded_usd)
    await until(async () => (await refunded()) === 100_000)
    await until(async () => (await readTreasury(open())).agrees)
  })

  test('a wallet tops up an account', async () => {
    const account = await open().gateway.account(0)
    const paid = await buy('/api/v1/topups', { account_id: account.id, amount_cents: 50 })
    expect(paid.status).toBe(200)
    expect(await account.state()).toMatchObject({ availableCents: 50 })
  })
}
