// An action names the files that it reads, and a call with another file is refused before its price is held.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { shareGateway, type TestAccount } from '#test/harness.ts'

const provider = defineProvider({
  id: 'photos',
  title: 'Reads photos',
  actions: [
    defineAction('measure', {
      summary: 'Tell how large some photos are.',
      input: z.strictObject({ photos: z.array(z.uuid()) }),
      output: z.looseObject({ bytes: z.array(z.int()) }),
      reads: ({ photos }) =>
        photos.map((fileId, at) => ({ fileId, mediaTypes: ['image/png'], field: `photos[${at}]` })),
      price: { cents: 3 },
      example: { input: { photos: [] }, cents: 3 },
      async run({ input, files }) {
        const found = await Promise.all(input.photos.map((id) => files.find(id)))
        return { bytes: found.map(({ bytes }) => bytes) }
      },
    }),
  ],
})
const gateway = shareGateway({ providers: [provider] })
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])

async function upload(account: TestAccount, bytes: Buffer, send = true): Promise<string> {
  const named = { filename: 'photo.png', mime: 'image/png', size_bytes: bytes.length }
  const { body } = await account.call('files/upload', named)
  if (send) await fetch(body.data.put_url, { method: 'PUT', body: new Uint8Array(bytes) })
  return body.data.file_id
}

test('a call reads the files of its caller', async () => {
  const account = await gateway().account(10)
  const photos = [await upload(account, png)]
  const { body } = await account.call('photos/measure', { photos })
  expect(body).toMatchObject({ data: { bytes: [png.length] }, charged_cents: 3 })
})

test('a repeated call is answered as before, although its file was deleted since', async () => {
  const account = await gateway().account(10)
  const photos = [await upload(account, png)]
  const key = { 'idempotency-key': 'measure-1' }
  const first = await account.call('photos/measure', { photos }, key)
  await account.call('files/delete', { file_id: photos[0] })
  const again = await account.call('photos/measure', { photos }, key)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await account.call('photos/measure', { photos })).status).toBe(400)
  const other = await account.call('photos/measure', { photos: [...photos, ...photos] }, key)
  expect(other.status).toBe(400)
})

test.each([
  ['an unknown file', async () => randomUUID(), 'not a file of yours'],
  [
    'a file of another caller',
    async () => upload(await gateway().account(10), png),
    'not a file of yours',
  ],
  [
    'a file that has not arrived',
    async (account: TestAccount) => upload(account, png, false),
    'not arrived',
  ],
  [
    'a text that is called an image',
    async (account: TestAccount) => upload(account, Buffer.from('hello')),
    'image/png',
  ],
])('%s is refused before anything is held, and the field is named', async (_what, other, why) => {
  const account = await gateway().account(10)
  const photos = [await upload(account, png), await other(account)]
  const before = await account.state()
  const refused = await account.call('photos/measure', { photos })
  expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
  expect(refused.body.message).toContain('photos[1]')
  expect(refused.body.message).toContain(why)
  expect(await account.state()).toEqual(before)
})
