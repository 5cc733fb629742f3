// Generations that wallets pay for: images in the response by either rail, videos as jobs, and refunds on the chain.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, received } from '../../payments/payers.ts'

const vendor = await startMediaVendor()
afterAll(vendor.close)
const env = { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url }
const picture = { model: 'flux/dev', prompt: 'x', image_size: 'square_hd' }
const film = { model: 'kling-video/v2.6/pro/text-to-video', prompt: 'x', duration: 5 }
const made = { result: { video: { url: 'https://v3.fal.media/files/film.mp4' } } }
const declined = {
  status: 422,
  result: { detail: [{ loc: ['body'], msg: 'm', type: 'content_policy_violation' }] },
}
const pollsMax = 1_200
const pollIntervalMs = 50

describe.skipIf(!payments.ok)(`media for wallets ${payments.reason}`, () => {
  const shared = sharePaidGateway(shareChains(), { env })

  describe.each(rails)('by %s', (rail) => {
    test('an image is answered in the response for its exact price', async () => {
      const gateway = shared()
      const before = await received(gateway, rail)
      vendor.plan({})
      const { status, body } = await buy(gateway, rail, 'ns_media/generate', picture)
      expect(status).toBe(200)
      expect(body).toMatchObject({ data: { type: 'text_to_image' }, charged_usd: '0.025000' })
      expect((await received(gateway, rail)) - before).toBe(25_000n)
      await expectBooksRight(gateway)
    })

    test('an image that the vendor declines takes no money', async () => {
      const gateway = shared()
      const before = await received(gateway, rail)
      vendor.plan(declined)
      const { status, body } = await buy(gateway, rail, 'ns_media/generate', picture)
      expect([status, body.error]).toEqual([400, 'content_policy_violation'])
      expect(await received(gateway, rail)).toBe(before)
      await expectBooksRight(gateway)
    })

    test('a video is paid first, polled for free, and kept', async () => {
      const gateway = shared()
      const before = await received(gateway, rail)
      vendor.plan({ ...made, before: ['IN_PROGRESS'] })
      const { body } = await buy(gateway, rail, 'ns_media/generate', film)
      expect(body).toMatchObject({ data: { status: 'queued', async: true } })
      const job = await poll(body.data.status_url, ({ status }) => status !== 'running')
      expect(job).toMatchObject({ status: 'succeeded', charged_usd: '0.700000' })
      expect((await received(gateway, rail)) - before).toBe(700_000n)
      await expectBooksRight(gateway)
    })

    test('a video that fails is refunded on the chain', async () => {
      const gateway = shared()
      vendor.plan(declined)
      const { body } = await buy(gateway, rail, 'ns_media/generate', film)
      const job = await poll(body.data.status_url, ({ refund }) => refund?.status === 'confirmed')
      expect(job).toMatchObject({
        status: 'failed',
        error: 'content_policy_violation',
        charged_cents: 0,
        refund: { amount: '0.700000', tx: expect.stringMatching(/^0x/) },
      })
      await expectBooksRight(gateway)
    })
  })
})

async function poll(
  statusUrl: string,
  isEnough: (job: UntypedJson) => boolean,
): Promise<UntypedJson> {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    const { data } = await (await fetch(statusUrl)).json()
    if (isEnough(data)) return data
    await delay(pollIntervalMs)
  }
  throw new Error('The job did not end.')
}
