// A gateway with a bucket: callers send and fetch the bytes at the store itself.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { S3Settings } from '#platform/blobs/s3-requests.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { type Gateway, startGateway } from '#test/harness.ts'
import { startS3Server } from '#test/s3-server.ts'

const png = new Uint8Array(
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100_000)]),
)
const put = async (url: string, body: Uint8Array<ArrayBuffer>) =>
  (await fetch(url, { method: 'PUT', body })).status

let store: S3Settings
let web: LoopbackServer
let gateway: Gateway
const endings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const atEnd = (work: () => Promise<unknown>) => void endings.unshift(work)
  store = await startS3Server(atEnd)
  web = await serve((_incoming, response) => void response.end(png), '127.0.0.1')
  atEnd(() => web.close())
  gateway = await startGateway(
    {
      env: {
        S3_ENDPOINT: store.endpoint,
        S3_BUCKET: store.bucket,
        S3_ACCESS_KEY_ID: store.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.secretAccessKey,
        EGRESS_ALLOW: web.host,
      },
    },
    atEnd,
  )
})
afterAll(async () => {
  for (const end of endings) await end()
})

test('bytes go to the store and come from it, and the record is the same as without one', async () => {
  const account = await gateway.account(10)
  const upload = { filename: 'photo.png', size_bytes: png.length, mime: 'text/plain' }
  const { put_url, get_url, file_id } = (await account.call('files/upload', upload)).body.data
  expect(put_url.startsWith(store.endpoint)).toBe(true)
  const pending = await account.call('files/get', { file_id })
  expect(pending.body.data.status).toBe('pending')
  for (const other of [png.slice(1), new Uint8Array([...png, 0])])
    expect(await put(put_url, other)).toBe(403)
  expect(await put(put_url, png)).toBe(200)

  const early = await fetch(get_url)
  expect(new Uint8Array(await early.arrayBuffer())).toEqual(png)
  const { data } = (await account.call('files/get', { file_id })).body
  expect(data).toMatchObject({
    status: 'stored',
    mime: 'image/png',
    size: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
  })
  expect(data.get_url.startsWith(store.endpoint)).toBe(true)
  const served = await fetch(data.get_url, { headers: { range: 'bytes=8-17' } })
  expect([served.status, served.headers.get('content-disposition')]).toEqual([
    206,
    'inline; filename="photo.png"',
  ])
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(png.slice(8, 18))

  await put(put_url, new Uint8Array(randomBytes(png.length)))
  const unchanged = await fetch(data.get_url)
  expect(new Uint8Array(await unchanged.arrayBuffer())).toEqual(png)
  expect((await account.call('files/delete', { file_id })).body.data.freed_bytes).toBe(png.length)
  expect((await fetch(data.get_url)).status).toBe(404)
  expect((await account.call('files/list', {})).body.data.used_bytes).toBe(0)
})

test('a fetched file is in the store too', async () => {
  const account = await gateway.account(10)
  const { body } = await account.call('files/upload_from_url', { url: `http://${web.host}/a.png` })
  expect(body).toMatchObject({ charged_cents: 1, data: { status: 'stored', mime: 'image/png' } })
  const served = await fetch(body.data.get_url)
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(png)
})
