// Wallets buy what an operator sells of their own, by the unmodified clients of the protocols.
import { beforeAll, describe, expect, test } from 'vitest'
import { sell } from '#test/selling/sell.ts'
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
