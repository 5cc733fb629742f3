// A wallet pays for one call and receives its answer, over either protocol with the protocol's own client. A failed
// call costs nothing.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { Challenge, Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  checkL2ForOpenAPI,
  discoverOriginSchema,
  getOpenAPI,
  getWarningsForL2,
  getWarningsForMppHeader,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  validatePaymentRequiredDetailed,
} from '#oracles/agentcash.ts'
import { countRows, expectBooksRight } from './books.ts'
import { chainOf, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { buy, challenge, payingFetch, post, present, readReply, received, sign } from './payers.ts'

const headerBytesMax = 8 * 1024
const bin = path.join(import.meta.dirname, '../../node_modules/.bin')

describe.skipIf(!payments.ok)(`paying for a call ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)
  const runUrl = (action: string) => `${gateway().url}/api/run/${action}`

  test('x402: the call is answered, exactly its price has moved, and the receipt names the transaction', async () => {
    const before = await received(gateway(), 'x402')
    const reply = await buy(gateway(), 'x402', 'test/echo', { text: 'paid' })
    expect(reply.body).toMatchObject({ ok: true, data: { echo: 'paid' }, charged_cents: 2 })
    expect(reply.body).not.toHaveProperty('balance_remaining_cents')
    expect((await received(gateway(), 'x402')) - before).toBe(20_000n)
    const receipt = decodePaymentResponseHeader(reply.headers.get('payment-response') ?? '')
    const { x402, wallets } = chains()
    expect(receipt).toMatchObject({ success: true, network: `eip155:${x402.chainId}` })
    expect(receipt.payer?.toLowerCase()).toBe(wallets.payer.address)
    const mined = await x402.rpc('eth_getTransactionReceipt', [receipt.transaction])
    expect(mined.status).toBe('0x1')
  })

  test('MPP: the call is answered, exactly its price has moved, and the receipt names the transaction', async () => {
    const before = await received(gateway(), 'mpp')
    const reply = await buy(gateway(), 'mpp', 'test/echo', { text: 'paid' })
    expect(reply.body).toMatchObject({ ok: true, data: { echo: 'paid' }, charged_cents: 2 })
    expect((await received(gateway(), 'mpp')) - before).toBe(20_000n)
    expect(reply.headers.get('cache-control')).toBe('private')
    const receipt = Receipt.deserialize(reply.headers.get('payment-receipt') ?? '')
    expect(receipt).toMatchObject({ status: 'success', method: 'tempo' })
    const mined = await chains().mpp.rpc('eth_getTransactionReceipt', [receipt.reference])
    expect(mined.status).toBe('0x1')
  })

  test.each(rails)('%s: a page is read and paid for by GET', async (rail) => {
    const page = `${gateway().url}/docs/use`
    const unpaid = await fetch(`${gateway().url}/read/${page}`)
    expect(unpaid.status).toBe(402)
    expect(unpaid.headers.get('content-type')).toContain('application/json')
    const before = await received(gateway(), rail)
    const pay = payingFetch(rail, chains(), chains().wallets.payer)
    const reply = await readReply(await pay(`${gateway().url}/read/${page}`, { method: 'GET' }))
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(reply.body).toContain('Idempotency-Key')
    expect((await received(gateway(), rail)) - before).toBe(20_000n)
  })

  test('open actions are answered without a challenge', async () => {
    const asked = await fetch(runUrl('tollway/discover'), post({ query: 'weather forecast' }))
    const { status, body } = await readReply(asked)
    expect([status, body]).toMatchObject([200, { ok: true, charged_cents: 0 }])
    expect(asked.headers.get('www-authenticate')).toBeNull()
    expect(asked.headers.get('payment-required')).toBeNull()
    const { paths } = await (await fetch(`${gateway().url}/openapi.json`)).json()
    const { security, responses } = paths['/api/run/tollway/discover'].post
    expect(security).toEqual([])
    expect(responses).not.toHaveProperty('402')
    expect(paths['/api/run/tollway/result'].post.security).not.toEqual([])
  })

  test('the EVM client of mppx pays the x402 challenge', async () => {
    const { wallets, x402 } = chains()
    const payer = Mppx.create({
      polyfill: false,
      methods: [
        evm({
          account: privateKeyToAccount(wallets.payer.privateKey),
          networks: [x402.chainId],
          currencies: [x402.asset],
          maxAtomicAmount: '20000',
        }),
      ],
    })
    const before = await received(gateway(), 'x402')
    const reply = await readReply(await payer.fetch(runUrl('test/echo'), post({})))
    expect([reply.status, reply.body.data]).toEqual([200, { echo: 'hello' }])
    expect((await received(gateway(), 'x402')) - before).toBe(20_000n)
  })

  test('a 402 has challenges of both protocols, forbids storing, and has short headers', async () => {
    const asked = await challenge(gateway(), 'test/echo')
    expect(asked.status).toBe(402)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    const text = [...asked.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    expect(text.length).toBeLessThan(headerBytesMax)
    const [offer] = Challenge.fromResponseList(asked)
    expect(offer).toMatchObject({ method: 'tempo', intent: 'charge' })
    expect(offer?.request).toMatchObject({ amount: '20000', recipient: gateway().till.payTo })
    const required = Buffer.from(asked.headers.get('payment-required') ?? '', 'base64')
    const { accepts } = JSON.parse(required.toString())
    expect(accepts).toMatchObject([{ scheme: 'exact', amount: '20000' }])
    expect(await asked.json()).toMatchObject({ ok: false, error: 'payment_required', accepts })
  })

  test('an action with a price cap is challenged over MPP only, and refuses x402 payments with their own code', async () => {
    const asked = await challenge(gateway(), 'test/capped', { costs: 3 })
    expect((await asked.json()).accepts).toBeUndefined()
    expect(asked.headers.get('www-authenticate')).toMatch(/^Payment /)
    const payment = await sign(gateway(), 'x402', 'test/echo')
    const refused = await present(gateway(), 'test/capped', { costs: 3 }, payment)
    expect([refused.status, refused.body.error]).toEqual([402, 'x402_not_sellable'])
    expect(refused.headers.get('www-authenticate')).toMatch(/^Payment /)
  })

  test('a payment of x402 version 1 receives a challenge of version 2', async () => {
    const old = await present(
      gateway(),
      'test/echo',
      {},
      { 'x-payment': 'eyJ4NDAyVmVyc2lvbiI6MX0=' },
    )
    expect(old.status).toBe(402)
    expect(old.body.x402Version).toBe(2)
    expect(old.headers.get('payment-required')).not.toBeNull()
  })

  test('Accept-Payment filters the challenges of MPP, and never leaves a client without any', async () => {
    const ask = async (accept: string) =>
      (await fetch(runUrl('test/echo'), post({}, { 'accept-payment': accept }))).headers
    for (const wanted of ['tempo/charge', '*/*;q=0.1', 'stripe/charge, tempo/*', '*/charge'])
      expect([wanted, (await ask(wanted)).get('www-authenticate')]).toEqual([
        wanted,
        expect.stringMatching(/^Payment /),
      ])
    for (const other of ['stripe/charge', 'tempo/session', '*/session;q=0.3', 'tempo/charge;q=0'])
      expect([other, (await ask(other)).get('www-authenticate')]).toEqual([other, null])
    const capped = await fetch(
      runUrl('test/capped'),
      post({ costs: 3 }, { 'accept-payment': 'stripe/charge' }),
    )
    expect(capped.headers.get('www-authenticate')).toMatch(/^Payment /)
  })

  test('two identical unpaid calls at one time get different challenges', async () => {
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => challenge(gateway(), 'test/echo', { text: 'same' })),
    )
    const ids = asked.map((response) => Challenge.fromResponse(response).id)
    expect(new Set(ids).size).toBe(20)
  })

  test('`mppx validate` reports no problem', async () => {
    const { url } = gateway()
    const args = ['validate', url, '--endpoint', 'POST:/api/run/test/echo', '--body', '{}', '-j']
    const { stdout } = await promisify(execFile)(path.join(bin, 'mppx'), args, {
      env: { ...process.env, MPPX_PRIVATE_KEY: chains().wallets.payer.privateKey },
      maxBuffer: 64 * 1024 * 1024,
    })
    const { summary, endpoints } = JSON.parse(stdout)
    expect(endpoints[0].challenge.length).toBeGreaterThan(5)
    expect(endpoints[0].errorHandling.length).toBeGreaterThan(1)
    expect(summary).toMatchObject({ failed: 0, warnings: 0 })
  })

  test('the discovery client finds every paid action with its price, and has no warnings', async () => {
    const { url } = gateway()
    const document = (await getOpenAPI(url))._unsafeUnwrap()
    if (document === null || isOpenApiParseFailure(document)) throw new Error('no OpenAPI document')
    const warnings = [
      ...getWarningsForOpenAPI(document),
      ...getWarningsForL2(checkL2ForOpenAPI(document)),
    ]
    // The operator provides the contact, and the number of routes follows from the catalog.
    const known = ['OPENAPI_CONTACT_MISSING', 'L2_ROUTE_COUNT_HIGH']
    expect(warnings.map(({ code }) => code).filter((code) => !known.includes(code))).toEqual([])
    const found = await discoverOriginSchema({ target: url })
    if (!found.found) throw new Error('nothing found')
    const echo = found.endpoints.find((endpoint) => endpoint.path === '/api/run/test/echo')
    expect(echo).toMatchObject({
      authMode: 'paid',
      price: '0.020000 USD',
      protocols: ['x402', 'mpp'],
    })
    const asked = await challenge(gateway(), 'test/echo')
    expect(getWarningsForMppHeader(asked.headers.get('www-authenticate'))).toEqual([])
    const { summary } = validatePaymentRequiredDetailed(await asked.json())
    expect(summary.errorCount).toBe(0)
  })

  describe('failed calls cost nothing', () => {
    test.each(
      rails.flatMap((rail) =>
        ['upstream_error', 'all_blocked', 'bad_request', 'content_policy_violation', 'crash'].map(
          (code) => [rail, code] as const,
        ),
      ),
    )('%s: %s moves no money, and the payment is good for the same request', async (rail, code) => {
      const before = await received(gateway(), rail)
      const payment = await sign(gateway(), rail, 'test/fails', { code })
      const failed = await present(gateway(), 'test/fails', { code }, payment)
      expect(failed.body.error).toBe(code === 'crash' ? 'upstream_error' : code)
      const asked = gateway().provider.asked.length
      const again = await present(gateway(), 'test/fails', { code }, payment)
      expect(again.body.error).toBe(failed.body.error)
      expect(gateway().provider.asked.length).toBe(asked + 1)
      expect(await received(gateway(), rail)).toBe(before)
    })

    test.each(rails)('%s: an answer that costs nothing moves nothing', async (rail) => {
      const before = await received(gateway(), rail)
      const reply = await buy(gateway(), rail, 'test/miss', { found: false })
      expect(reply.body).toMatchObject({ ok: true, charged_cents: 0 })
      expect(await received(gateway(), rail)).toBe(before)
    })

    test('an invalid call is refused before it is challenged', async () => {
      const wrong = await challenge(gateway(), 'test/echo', { text: 1 })
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([400, null])
      const dear = await challenge(gateway(), 'test/echo', { max_cost_cents: 1 })
      expect((await dear.json()).error).toBe('max_cost_exceeded')
      expect((await challenge(gateway(), 'test/none')).status).toBe(404)
      expect((await (await challenge(gateway(), 'test/purchase', { costs: 1 })).json()).error).toBe(
        'max_cost_required',
      )
    })

    test('an unpaid call runs nothing and leaves nothing behind', async () => {
      const count = async () => [
        await countRows(gateway(), 'payment'),
        await countRows(gateway(), 'call'),
        await countRows(gateway(), 'transfer'),
        gateway().provider.asked.length,
      ]
      const before = await count()
      for (const action of ['test/echo', 'test/job', 'test/free'])
        expect([action, (await challenge(gateway(), action)).status]).toEqual([action, 402])
      expect(await count()).toEqual(before)
    })
  })

  test('afterwards the books equal the chains', async () => {
    expect(await chainOf(chains(), 'x402').balanceOf(gateway().till.payTo)).toBeGreaterThan(0n)
    await expectBooksRight(gateway())
  })
})
