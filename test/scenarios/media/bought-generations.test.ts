// Without the vendor's key the operator's wallet buys single generations. The seller has no queue: it answers at once.
import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { shareGateway, verify } from '#test/harness.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'

const seller = shareVendorStub()

let ceilings: number[] = []
let askedMicros = 0
let payments = 0

/** Has the seller ask for this much. The ceilings of the payments that follow, as they come. */
function ask(micros: number): readonly number[] {
  askedMicros = micros
  ceilings = []
  return ceilings
}

/** Signs every payment within its ceiling, and remembers the ceilings. */
const upstreamWallet: UpstreamWallet = {
  protocols: ['mpp'],
  unset: new Map(),
  async pay(_demand, ceiling) {
    ceilings.push(ceiling)
    if (askedMicros > ceiling) throw fail('max_cost_exceeded')
    payments += 1
    return {
      protocol: 'mpp',
      payee: 'seller',
      micros: askedMicros,
      chainReference: `payment-${payments}`,
      headers: { authorization: 'Payment signed' },
      receiptHeader: 'payment-receipt',
    }
  },
  close: async () => {},
}

const shared = shareGateway(() => ({ upstreamWallet, env: { NS_MEDIA_BASE_URL: seller().url } }))
const challenge = { status: 402, body: {} }
const made = (url: string) => ({ status: 200, body: { images: [{ url }] } })
const picture = { model: 'flux/dev', prompt: 'x', image_size: 'square_hd' }
const film = { model: 'minimax/video-01', prompt: 'x' }

test('an image is bought within its price and answered at once', async () => {
  seller().say(challenge, made('https://v3.fal.media/files/one.jpg'))
  const paid = ask(20_000)
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await account.call('ns_media/generate', picture)
  expect(body).toMatchObject({
    data: { output_url: 'https://v3.fal.media/files/one.jpg' },
    charged_usd: '0.025000',
  })
  expect(paid).toEqual([centsToMicros(2.5)])
  expect(seller().asked).toEqual(['POST /fal-ai/flux/dev', 'POST /fal-ai/flux/dev'])
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a video is not bought, because a job may be repeated: it fails, is free, and the catalog says so', async () => {
  seller().say(challenge)
  const paid = ask(400_000)
  const gateway = shared()
  const account = await gateway.account(100)
  const { body: handle } = await account.call('ns_media/generate', film)
  const job = { job_id: handle.data.job_id, wait_seconds: 30 }
  expect((await account.call('tollway/result', job)).body.data).toMatchObject({
    status: 'failed',
    error: 'provider_not_configured',
    charged_cents: 0,
  })
  expect(paid).toEqual([])
  const { body } = await gateway.request('GET', '/api/catalog')
  const listed = (key: string) => body.models.find(({ model }: { model: string }) => model === key)
  expect(listed(film.model)).toMatchObject({ available: false, reason: expect.any(String) })
  expect(listed(picture.model)).toMatchObject({ available: true })
})

test('a seller that asks for more than the price is not paid, and the call is free', async () => {
  seller().say(challenge)
  ask(30_000)
  const account = await shared().account(100)
  const { body } = await account.call('ns_media/generate', picture)
  expect(body).toMatchObject({ ok: false })
  expect(seller().asked).toHaveLength(1)
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})
