// The vendor's own client as an oracle: it and the gateway send the same requests.

import { afterAll, expect, test } from 'vitest'
import { listMediaModels } from '#catalog/ns_media/lib/models.ts'
import { createQueue } from '#catalog/ns_media/lib/queue.ts'
import { media } from '#catalog/ns_media/provider.ts'
import { createFalClient } from '#oracles/fal.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { shareGateway } from '#test/harness.ts'
import { mediaKey, type SeenRequest, startMediaVendor } from '#test/media-vendor.ts'
import { silentLog } from '#test/silent-log.ts'

const vendor = await startMediaVendor()
afterAll(vendor.close)
const gateway = shareGateway({
  env: { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url },
})
const client = createFalClient({
  credentials: mediaKey,
  suppressLocalCredentialsWarning: true,
  // The client has the vendor's hosts built in.
  fetch: (address, options) => {
    const { pathname, search } = new URL(String(address))
    return fetch(vendor.url + pathname + search, options)
  },
})

const models = listMediaModels()
const fail = (key: string): never => {
  throw new Error(`There is no ${key}.`)
}
const machine = {
  speech: { speak: async () => fail('speech') },
  openOutput: async () => fail('output'),
}
const service = createService(media({ models, machine }), {
  variables: new Map([
    ['NS_MEDIA_API_KEY', mediaKey],
    ['NS_MEDIA_BASE_URL', vendor.url],
  ]),
  userAgent: 'Tollway/test',
  clock: systemClock,
  log: silentLog,
})
afterAll(service.close)

/** Without the ids of generations, which differ. */
const comparable = (seen: readonly SeenRequest[]) =>
  seen.map((request) => ({ ...request, path: request.path.replace(/[0-9a-f-]{36}/, 'ID') }))

/** A model of speech answers with sound, and not with pictures. */
const spoken = {
  result: { audio: { url: 'https://v3.fal.media/files/rabbit/x.mp3', content_type: 'audio/mpeg' } },
}

test.each([
  ['flux/dev', 'fal-ai/flux/dev', { prompt: 'x', image_size: 'square_hd', num_images: 2 }],
  ['ideogram/v2a', 'fal-ai/ideogram/v2a', { prompt: 'x', aspect_ratio: '16:9' }],
  ['wan/v2.6/text-to-image', 'wan/v2.6/text-to-image', { prompt: 'x' }],
  ['elevenlabs/tts/turbo-v2.5', 'fal-ai/elevenlabs/tts/turbo-v2.5', { text: 'x' }],
  ['bria/fibo/generate', 'bria/fibo/generate', { prompt: 'x' }],
] as const)('a generation with %s', async (model, endpoint, input) => {
  const course = 'text' in input ? spoken : {}
  vendor.plan(course)
  await client.subscribe(endpoint as string, { input })
  const theirs = comparable(vendor.seen)
  vendor.plan(course)
  const account = await gateway().account(100)
  expect((await account.call('ns_media/generate', { model, ...input })).status).toBe(200)
  expect(comparable(vendor.seen)).toEqual(theirs)
  expect(vendor.problems).toEqual([])
})

test('a job: submission, status and result', async () => {
  const input = { prompt: 'x', duration: '5', aspect_ratio: '16:9', generate_audio: true } as const
  const result = { video: { url: 'https://v3.fal.media/files/film.mp4' } }
  vendor.plan({ result })
  await client.subscribe('fal-ai/kling-video/v2.6/pro/text-to-video', { input })
  const theirs = comparable(vendor.seen)
  vendor.plan({ result })
  const account = await gateway().account(1_000)
  const body = { model: 'kling-video/v2.6/pro/text-to-video', ...input }
  const { body: handle } = await account.call('ns_media/generate', body)
  const job = { job_id: handle.data.job_id, wait_seconds: 30 }
  expect((await account.call('tollway/result', job)).body.data.status).toBe('succeeded')
  expect(comparable(vendor.seen)).toEqual(theirs)
})

test.each(['flux/dev', 'kling-video/v2.6/pro/text-to-video'])(
  'a cancellation of %s',
  async (key) => {
    const { endpoint } = models.get(key) ?? fail(key)
    vendor.plan({ before: ['IN_QUEUE'] })
    const { request_id } = await client.queue.submit(endpoint, { input: { prompt: 'x' } })
    await client.queue.cancel(endpoint, { requestId: request_id })
    const theirs = comparable(vendor.seen)
    vendor.plan({ before: ['IN_QUEUE'] })
    const queue = createQueue(service.http, { endpoint })
    const submitted = await queue.submit({ prompt: 'x' }, 'job')
    if (submitted.kind === 'queued') await queue.cancel(submitted.requestId)
    expect(comparable(vendor.seen)).toEqual(theirs)
    expect(vendor.cancelled).toHaveLength(1)
    expect(vendor.problems).toEqual([])
  },
)

test('an upload', async () => {
  vendor.plan({})
  const file = new File(['x'], 'photo.jpg', { type: 'image/jpeg' })
  // Only its first request goes to the vendor’s API. The address it answers with is on another host.
  await client.storage.upload(file).catch(() => {})
  const [theirs] = vendor.seen
  vendor.plan({})
  const account = await gateway().account(100)
  await account.call('ns_media/upload', { file_name: 'photo.jpg', content_type: 'image/jpeg' })
  expect(vendor.seen).toEqual([theirs])
})
