// Pictures: from a description, and from other pictures; charged by size and quality, or by tokens.
import { describe, expect, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, heldOf, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()
const connect = async (cents = 1_000) => {
  const account = await shared().account(cents)
  const baseURL = `${shared().url}/api/llm/v1`
  return { account, openai: new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 }) }
}
const prompt = 'an otter'
const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1')
const picture = Buffer.from('picture').toString('base64')
/** 50 tokens of text, and those of one picture. */
const onePicture = 50 * 5 + 1_056 * 40

describe('the openai SDK', () => {
  test('draws, and pays the tokens that the vendor counts', async () => {
    const { account, openai } = await connect()
    const reply = await openai.images.generate({
      model: 'lab/draw',
      prompt,
      n: 2,
      size: '1024x1024',
      quality: 'medium',
      output_format: 'png',
      user: 'u',
    })
    expect(reply.data?.map(({ b64_json }) => b64_json)).toEqual([picture, picture])
    const micros = 50 * 5 + 2 * 1_056 * 40
    expect(reply.usage).toMatchObject({ input_tokens: 50, cost: micros / 1_000_000 })
    await expectPaid(shared(), account, micros)
    expect(await lastTransaction(account)).toMatchObject({
      action: 'llm/images',
      inference: { model: 'lab/draw', used: { promptTokens: 50, completionTokens: 2_112 } },
    })
  })

  test.each([1, 2])('edits %d pictures with a mask', async (count) => {
    const { account, openai } = await connect()
    const files = await Promise.all(
      Array.from({ length: count }, () => toFile(png, 'otter.png', { type: 'image/png' })),
    )
    const image = files.length === 1 ? (files[0] as File) : files
    const mask = await toFile(png, 'mask.png', { type: 'image/png' })
    const reply = await openai.images.edit({ model: 'lab/draw', prompt, image, mask, n: 1 })
    expect(reply.data).toHaveLength(1)
    const { form } = shared().upstream.asked[0] ?? {}
    const sent = form?.getAll(count === 1 ? 'image' : 'image[]') as File[]
    expect(sent).toHaveLength(count)
    expect(Buffer.from((await sent[0]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(png)
    expect(sent[0]?.type).toBe('image/png')
    expect(form?.get('mask')).toBeInstanceOf(File)
    await expectPaid(shared(), account, onePicture + 400 * 10)
  })
})

test('an edit in JSON names its pictures by data addresses, and reaches the vendor as a form', async () => {
  const { account } = await connect()
  const image_url = `data:image/png;base64,${png.toString('base64')}`
  const body = { model: 'lab/draw', prompt, images: [{ image_url }] }
  const reply = await ask(shared(), account, '/images/edits', body)
  expect(reply.status).toBe(200)
  const sent = shared().upstream.asked[0]?.form?.get('image') as File
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(png)
  await expectPaid(shared(), account, onePicture + 400 * 10)
})

test.each([
  [{ size: '1024x1024', quality: 'standard' }, 40_000],
  [{ size: '1792x1024', quality: 'standard' }, 80_000],
  [{ size: '1024x1024', quality: 'hd' }, 80_001],
  // The vendor does not say what it chose: the first of the price list.
  [{}, 40_000],
  [{ quality: 'hd' }, 80_001],
])('a picture has the price of its size and quality: %o', async (choice, micros) => {
  const { account } = await connect()
  const body = { model: 'lab/flat-draw', prompt, ...choice }
  const reply = await ask(shared(), account, '/images/generations', body)
  expect(reply.body).toMatchObject({ data: [{ b64_json: picture }], usage: { cost: micros / 1e6 } })
  await expectPaid(shared(), account, micros)
})

test.each([
  ['generations', { model: 'lab/draw' }, (8 + 100) * 5 + 1_584 * 40],
  ['generations', { model: 'lab/draw', quality: 'low', n: 3 }, (8 + 100) * 5 + 3 * 272 * 40],
  ['edits', { model: 'lab/draw', quality: 'low' }, (8 + 100) * 5 + 500 * 10 + 272 * 40],
  ['generations', { model: 'lab/flat-draw', n: 2 }, 160_002],
])('the dearest picture that the request may mean is held: %s %o', async (path, fields, micros) => {
  const { account } = await connect()
  let held = 0
  shared().upstream.behave(`/images/${path}`, async (it) => {
    held = await heldOf(shared(), account)
    it.answer()
  })
  const images = [{ image_url: `data:image/png;base64,${png.toString('base64')}` }]
  const body = { prompt, ...fields, ...(path === 'edits' && { images }) }
  await ask(shared(), account, `/images/${path}`, body)
  expect(held).toBe(micros)
})

const form = (fields: Record<string, string | Blob>) => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}
test.each([
  ['generations', { model: 'lab/draw' }, 'prompt'],
  ['generations', { model: 'lab/draw', prompt: 'a'.repeat(32_001) }, 'prompt'],
  ['generations', { model: 'lab/draw', prompt, n: 11 }, 'n'],
  ['generations', { model: 'lab/draw', prompt, size: '1x1' }, 'size'],
  ['generations', { model: 'lab/draw', prompt, size: '1024x1536', quality: 'low' }, 'size'],
  ['generations', { model: 'lab/draw', prompt, quality: 'hd' }, 'quality'],
  ['generations', { model: 'lab/draw', prompt, stream: true, n: 2 }, 'n'],
  ['generations', { model: 'lab/draw', prompt, partial_images: 1 }, 'partial_images'],
  ['generations', { model: 'lab/draw', prompt, stream: true, partial_images: 4 }, 'partial_images'],
  ['generations', { model: 'lab/draw', prompt, output_format: 'gif' }, 'output_format'],
  ['edits', { model: 'lab/draw', prompt }, 'images'],
  [
    'edits',
    { model: 'lab/draw', prompt, images: [{ image_url: 'https://a.example/x.png' }] },
    'images',
  ],
  ['edits', { model: 'lab/draw', prompt, images: [{ file_id: 'f' }] }, 'images'],
  ['edits', form({ model: 'lab/draw', prompt }), 'image'],
  ['edits', form({ model: 'lab/draw', prompt, image: new Blob(['GIF89a']) }), 'image'],
  ['edits', form({ model: 'lab/draw', prompt, n: 'two', image: new Blob([png]) }), 'n'],
])('the wrong request %# is refused, and free', async (path, body, param) => {
  const { account } = await connect()
  const reply = await ask(shared(), account, `/images/${path}`, body)
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
  expect(shared().upstream.asked).toHaveLength(0)
  await expectPaid(shared(), account, 0)
})

test('a broken form is a bad request', async () => {
  const { account } = await connect()
  const reply = await fetch(`${shared().url}/api/llm/v1/images/edits`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: '--x\r\nnothing',
  })
  expect(reply.status).toBe(400)
  expect(((await reply.json()) as { error: object }).error).toMatchObject({ code: 'bad_request' })
})

test.each([
  ['declines it', 400, { error: { code: 'moderation_blocked', message: 'secret words' } }],
  ['sends no picture', 200, { created: 1, data: [] }],
  ['sends more pictures than were asked for', 200, { data: [{ url: 'a' }, { url: 'b' }] }],
])('a vendor that %s is not paid by the caller', async (_what, status, answer) => {
  const { account } = await connect()
  shared().upstream.behave('/images/generations', (it) => it.send(status, answer))
  const reply = await ask(shared(), account, '/images/generations', { model: 'lab/draw', prompt })
  const code = status === 400 ? 'content_policy_violation' : 'upstream_error'
  expect(reply.body.error.code).toBe(code)
  await expectPaid(shared(), account, 0)
})

test('an edit with an idempotency key is the same only with the same pictures', async () => {
  const { account } = await connect()
  const headers = { 'idempotency-key': 'edit' }
  const edit = (image: Buffer) =>
    ask(
      shared(),
      account,
      '/images/edits',
      form({ model: 'lab/draw', prompt, image: new Blob([new Uint8Array(image)]) }),
      { headers },
    )
  const first = await edit(png)
  const again = await edit(png)
  expect(again.body).toEqual(first.body)
  expect((await edit(Buffer.concat([png, png]))).status).toBe(422)
  await expectPaid(shared(), account, onePicture + 400 * 10)
})
