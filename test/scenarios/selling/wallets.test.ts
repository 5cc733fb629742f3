// Wallets buy what an operator sells of their own, by the unmodified clients of the protocols.
import { beforeAll, describe, expect, test } from 'vitest'
import { previewSale, sell } from '#test/selling/sell.ts'
import { shareWeatherApi, weatherKey } from '#test/selling/weather-api.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, payingFetch, received } from '../../payments/payers.ts'

interface Challenge {
  readonly resource: { readonly url: string }
  readonly extensions: object
}

describe.skipIf(!payments.ok)(`buying what an operator sells ${payments.reason}`, () => {
  const chains = shareChains()
  const weather = shareWeatherApi()
  const gateway = sharePaidGateway(chains, { env: { WEATHER_API_KEY: weatherKey } })

  beforeAll(async () => {
    const common = { private: true, price: 3 }
    await sell(gateway(), { ...common, address: weather().descriptionUrl, name: 'weather' })
    await sell(gateway(), {
      ...common,
      address: `${weather().url}/raw`,
      name: 'raw',
      kind: 'endpoint',
    })
  })

  test.each(rails)(
    '%s: an imported operation is answered and paid for exactly once',
    async (rail) => {
      const before = await received(gateway(), rail)
      const { body } = await buy(gateway(), rail, 'weather/get-forecast', {
        place: 'Bern',
        days: 1,
      })
      expect(body).toMatchObject({
        ok: true,
        data: { place: 'Bern', days: [{ celsius: 0 }] },
        charged_cents: 3,
      })
      expect((await received(gateway(), rail)) - before).toBe(30_000n)
      expect(weather().asked).toHaveLength(1)
      await expectBooksRight(gateway())
    },
  )

  test('the operator reads which clients cannot pay a price that counts the answer', async () => {
    const per = { answer: '/stations', unit: 'station', at_most: 3 }
    const sale = {
      address: weather().descriptionUrl,
      name: 'counted',
      private: true,
      rules: [{ match: 'search*', price: 2, per }],
    }
    const { body } = await previewSale(gateway(), sale)
    expect(body.warnings).toEqual([
      expect.stringMatching(
        /^What a call of counted\/search-stations costs is known only after it, so wallets cannot pay it by x402\. .* They can pay it by mpp\.$/,
      ),
    ])
    await sell(gateway(), { ...sale, key: weatherKey })
    const unpaid = await fetch(`${gateway().url}/api/run/counted/search-stations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ names: ['a'] }),
    })
    const { accepts } = JSON.parse(
      Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64').toString(),
    )
    expect(unpaid.headers.get('www-authenticate')).toMatch(/^Payment /)
    expect(accepts).toMatchObject([{ scheme: 'not-sold-over-x402' }])
    const { warnings } = (
      await previewSale(gateway(), { ...sale, name: 'fixed', price: 3, rules: undefined })
    ).body
    expect(warnings).toEqual([])
  })

  test.each(rails)('%s: an upstream that fails is not paid for', async (rail) => {
    const before = await received(gateway(), rail)
    weather().fault = 'wrong content'
    const { body } = await buy(gateway(), rail, 'weather/get-forecast', { place: 'Bern' })
    expect(body).toMatchObject({ ok: false, error: 'upstream_error' })
    expect((await received(gateway(), rail)) - before).toBe(0n)
  })

  test('the challenge of x402 names the address that the caller asked', async () => {
    const resourceOf = async (path: string, method = 'POST') => {
      const reply = await fetch(`${gateway().url}${path}`, { method })
      expect(reply.status).toBe(402)
      const { resource, extensions } = (await reply.json()) as Challenge
      return [resource.url.replace(gateway().url, ''), 'bazaar' in extensions]
    }
    expect(await resourceOf('/sell/raw/x?y=1')).toEqual(['/sell/raw/x?y=1', false])
    expect(await resourceOf('/sell/raw', 'GET')).toEqual(['/sell/raw', false])
    expect(await resourceOf(`/sell/raw/${'x'.repeat(2_000)}`)).toEqual(['/sell/raw', false])
    expect(await resourceOf('/api/run/raw/call')).toEqual(['/api/run/raw/call', true])
  })

  test.each(rails)(
    '%s: a plain request to /sell is challenged, paid and passed on',
    async (rail) => {
      const before = await received(gateway(), rail)
      const pay = payingFetch(rail, chains(), chains().wallets.payer)
      const reply = await pay(`${gateway().url}/sell/raw/x?y=1`, { method: 'POST', body: 'abc' })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        'application/octet-stream',
      ])
      expect(
        Buffer.from(await reply.arrayBuffer())
          .subarray(3)
          .toString(),
      ).toBe('abc')
      expect((await received(gateway(), rail)) - before).toBe(30_000n)
      const [asked] = weather().asked
      expect(asked?.line).toBe('POST /raw/x?y=1')
      expect(
        Object.keys(asked?.headers ?? {}).filter((name) => /pay|authorization/.test(name)),
      ).toEqual([])
    },
  )
})
