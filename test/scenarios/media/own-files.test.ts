// Files of the caller in place of addresses.
import { afterAll, describe, expect, test } from 'vitest'
import { shareGateway, type TestAccount } from '#test/harness.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(100, 7),
])
const vendor = await startMediaVendor()
afterAll(() => vendor.close())
const gateway = shareGateway({
  env: { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url },
})

async function store(account: TestAccount, content: Uint8Array<ArrayBuffer>, filename: string) {
  const upload = { filename, size_bytes: content.length }
  const { file_id, put_url } = (await account.call('files/upload', upload)).body.data
  const put = await fetch(put_url, { method: 'PUT', body: content })
  expect(put.status).toBeLessThan(300)
  return file_id as string
}

const edit = { model: 'nano-banana-pro/edit', prompt: 'At night' }

describe('a file_id in place of an address', () => {
  test('reaches the vendor as an address that serves the file, alone and in lists', async () => {
    vendor.plan({})
    const account = await gateway().account(200)
    const file = await store(account, png, 'photo.png')
    const urls = [file, 'https://a.example/2.png', file.toUpperCase()]
    const made = await account.call('ns_media/generate', { ...edit, image_urls: urls })
    expect(made.body).toMatchObject({ ok: true })
    const sent = vendor.seen[0]?.body as { readonly image_urls: readonly string[] }
    expect(sent.image_urls[1]).toBe('https://a.example/2.png')
    expect(sent.image_urls[2]).toBe(sent.image_urls[0])
    const served = await fetch(sent.image_urls[0] ?? '')
    expect(Buffer.from(await served.bytes())).toEqual(png)
    expect(vendor.problems).toEqual([])
  })

  test('of another caller, of another type or unknown is refused before anything is held', async () => {
    vendor.plan({})
    const [account, stranger] = [await gateway().account(200), await gateway().account(200)]
    const theirs = await store(stranger, png, 'photo.png')
    const text = await store(account, Buffer.from('not a picture'), 'notes.txt')
    for (const file of [theirs, text, '01970000-0000-7000-8000-000000000000']) {
      const reply = await account.call('ns_media/generate', { ...edit, image_urls: [file] })
      expect(reply).toMatchObject({ status: 400, body: { data: { field: 'image_urls[0]' } } })
    }
    expect(vendor.seen).toEqual([])
    expect(await account.state()).toMatchObject({ heldCents: 0 })
  })

  test.each(['file:///etc/passwd', 'file:photo.png', 'photo.png'])(
    '%s is neither',
    async (value) => {
      const account = await gateway().account(200)
      const reply = await account.call('ns_media/generate', { ...edit, image_urls: [value] })
      expect(reply.status).toBe(400)
    },
  )
})
