// Outputs that are kept as files of the caller: with `store`, and what this machine speaks.
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import {
  adminToken,
  shareGateway,
  shareGatewayOfWorker,
  type TestAccount,
  verify,
} from '#test/harness.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { serve } from '../../../src/platform/egress/loopback.fixture.ts'

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5_000, 1)])
const vendor = await startMediaVendor()
const cdn = await serve((request, response) => {
  if (request.url === '/gone.jpg') return void response.writeHead(404).end()
  if (request.url === '/endless.jpg')
    return void response.writeHead(200, { 'content-length': 200_000_000 }).write('x')
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg)
})
const other = await serve((_request, response) => void response.end('inside'))
afterAll(() => Promise.all([vendor.close(), cdn.close(), other.close()]))
const env = { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url, EGRESS_ALLOW: cdn.host }
const twice = defineProvider({
  id: 'twice',
  title: 'Two generations in one call',
  actions: [
    defineAction('generate', {
      summary: 'Generate two pictures.',
      input: z.strictObject({}),
      output: z.looseObject({ file_ids: z.array(z.string()) }),
      price: { cents: 5 },
      example: { input: {}, cents: 5 },
      async run({ call }) {
        const made = [
          await call('ns_media/generate', picture),
          await call('ns_media/generate', picture),
        ]
        return { file_ids: made.map(({ outputs }) => outputs[0].file_id) }
      },
    }),
  ],
})
const gateway = shareGateway({ env, providers: [twice] })
const withoutKey = shareGatewayOfWorker()
const picture = { model: 'flux/dev', prompt: 'x', image_size: 'square_hd', store: true }

const makes = (...urls: string[]) =>
  vendor.plan({ result: { images: urls.map((url) => ({ url, content_type: 'image/png' })) } })
const filesOf = async (account: TestAccount) =>
  (await account.call('files/list', {})).body.data.files

describe('store', () => {
  test('keeps every output as a file of the caller, and its address serves it', async () => {
    makes(`${cdn.origin}/one.jpg`, `${cdn.origin}/two.jpg`)
    const account = await gateway().account(100)
    const { body } = await account.call('ns_media/generate', { ...picture, num_images: 2 })
    expect(body).toMatchObject({
      charged_usd: '0.050000',
      data: {
        outputs: [
          {
            file_id: expect.any(String),
            media_type: 'image/jpeg',
            vendor_url: `${cdn.origin}/one.jpg`,
          },
          { file_id: expect.any(String), vendor_url: `${cdn.origin}/two.jpg` },
        ],
      },
    })
    const { output_url, outputs } = body.data
    expect(output_url).toBe(outputs[0].url)
    const served = await fetch(output_url)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(await served.bytes())).toBe(digest(jpeg))
    const kept = await filesOf(account)
    expect(kept).toHaveLength(2)
    for (const file of kept) expect(file).toMatchObject({ source: 'action', size: jpeg.length })
    const stranger = await gateway().account(100)
    const theirs = await stranger.call('files/get', { file_id: outputs[0].file_id })
    expect(theirs.status).toBe(404)
  })

  test.each([
    ['is gone', () => `${cdn.origin}/gone.jpg`],
    ['is larger than a file may be', () => `${cdn.origin}/endless.jpg`],
    ['is in the operator’s network', () => `${other.origin}/secret.jpg`],
  ])('of an output that %s fails, is free and leaves no file', async (_how, url) => {
    makes(url())
    const account = await gateway().account(100)
    const reply = await account.call('ns_media/generate', picture)
    expect(reply.body).toMatchObject({ error: 'upstream_error' })
    expect(reply.body.message).toContain('leave out store')
    expect(other.hits).toEqual([])
    expect(await filesOf(account)).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })

  test('of several outputs, of which one is gone, leaves none of them', async () => {
    makes(`${cdn.origin}/one.jpg`, `${cdn.origin}/gone.jpg`)
    const account = await gateway().account(100)
    const { body } = await account.call('ns_media/generate', { ...picture, num_images: 2 })
    expect(body).toMatchObject({ error: 'upstream_error' })
    const { files, used_bytes } = (await account.call('files/list', {})).body.data
    expect([files, used_bytes]).toEqual([[], 0])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('without room for all outputs delivers the others at the vendor’s address, and is charged', async () => {
    makes(`${cdn.origin}/one.jpg`, `${cdn.origin}/two.jpg`)
    const account = await gateway().account(100)
    await gateway().request('PATCH', `/api/v1/admin/accounts/${account.id}/files`, {
      key: adminToken,
      body: { quota_bytes: jpeg.length },
    })
    const { body } = await account.call('ns_media/generate', { ...picture, num_images: 2 })
    expect(body).toMatchObject({
      charged_usd: '0.050000',
      data: {
        outputs: [
          { file_id: expect.any(String) },
          { url: `${cdn.origin}/two.jpg`, store_error: 'file_quota_exceeded' },
        ],
      },
    })
    expect(await filesOf(account)).toHaveLength(1)
  })
})

test('outputs of two generations inside one call are kept apart', async () => {
  vendor.plan(
    { result: { images: [{ url: `${cdn.origin}/one.jpg` }] } },
    { result: { images: [{ url: `${cdn.origin}/two.jpg` }] } },
  )
  const account = await gateway().account(100)
  const { body } = await account.call('twice/generate', {})
  expect(new Set(body.data.file_ids).size).toBe(2)
  expect(await filesOf(account)).toHaveLength(2)
})

test('without the vendor’s key an upload goes to the gateway’s own file store', async () => {
  const account = await withoutKey().account(100)
  const body = { file_name: 'photo.jpg', content_type: 'image/jpeg' }
  const used = async () => (await account.call('files/list', {})).body.data.used_bytes
  for (const size_bytes of [undefined, jpeg.length]) {
    const before = await used()
    const reply = await account.call('ns_media/upload', { ...body, size_bytes })
    expect(reply.body).toMatchObject({ charged_cents: 1 })
    expect((await used()) - before).toBe(size_bytes ?? 100_000_000)
    const { upload_url, file_url } = reply.body.data
    const headers = { 'content-type': 'image/jpeg' }
    const put = (content: Uint8Array<ArrayBuffer>) =>
      fetch(upload_url, { method: 'PUT', headers, body: content })
    if (size_bytes !== undefined) expect((await put(jpeg.subarray(1))).status).toBe(400)
    expect((await put(jpeg)).ok).toBe(true)
    expect((await used()) - before).toBe(jpeg.length)
    expect(Buffer.compare(await (await fetch(file_url)).bytes(), jpeg)).toBe(0)
  }
})

test.each([
  ['a name with control characters', { file_name: 'a\nb' }, 400, 'name of the file'],
  ['a size above the limit', { size_bytes: 100_000_001 }, 413, '100000000 bytes'],
])(
  'without the vendor’s key %s is refused in the words of this action',
  async (_what, part, status, words) => {
    const account = await withoutKey().account(100)
    const body = { file_name: 'photo.jpg', content_type: 'image/jpeg', ...part }
    const refused = await account.call('ns_media/upload', body)
    expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(words)])
    expect(refused.body.message).not.toMatch(/filename|mime/)
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  },
)

const programs = await Promise.all(['espeak-ng', 'ffmpeg', 'bwrap'].map(findProgram))

describe.skipIf(programs.includes(undefined))('speech of this machine', () => {
  test.each([
    ['with the vendor’s key', gateway],
    ['without it', withoutKey],
  ])('%s is an audio file of the caller, and says who made it', async (_how, which) => {
    const account = await which().account(100)
    const body = {
      model: 'espeak-ng',
      text: 'The tide turns at noon.',
      format: 'mp3',
      language: 'en',
    }
    const reply = await account.call('ns_media/generate', body)
    expect(reply.body).toMatchObject({
      data: {
        type: 'text_to_speech',
        provider: 'espeak-ng on this machine',
        notes: expect.stringContaining('machine'),
        outputs: [{ kind: 'audio', media_type: 'audio/mpeg', file_id: expect.any(String) }],
      },
      charged_cents: 1,
    })
    const served = await fetch(reply.body.data.output_url)
    expect(served.headers.get('content-type')).toBe('audio/mpeg')
    expect((await served.bytes()).length).toBeGreaterThan(1_000)
  })

  test.each([
    [{ text: '' }, 'text'],
    [{ text: ' \n' }, 'text'],
    [{ text: 'x'.repeat(10_001) }, 'text'],
    [{ text: 'x', speed: 5 }, 'speed'],
    [{ text: 'x', language: '../../etc' }, 'language'],
    [{ text: 'x', voice: 'f9' }, 'voice'],
    [{ text: 'x', language: 'zz' }, 'zz'],
  ])('refuses %j', async (body, word) => {
    const account = await withoutKey().account(100)
    const reply = await account.call('ns_media/generate', { model: 'espeak-ng', ...body })
    expect(reply.status).toBe(400)
    expect(reply.body.message).toContain(word)
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('is what GET /api/catalog lists as available without the key', async () => {
    const { body } = await withoutKey().request('GET', '/api/catalog')
    const available = body.models.filter((model: { available: boolean }) => model.available)
    expect(available.map(({ model }: { model: string }) => model)).toEqual(['espeak-ng'])
  })
})
