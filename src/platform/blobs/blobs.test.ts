// What every store of blobs guarantees: on a disk, and in a real server of the S3 protocol.
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startS3Server } from '#test/s3-server.ts'
import { systemClock as clock } from '../clock.ts'
import { BlobMissing, type Blobs, BlobTooLarge } from './blobs.ts'
import { openLocalBlobs } from './local.ts'
import { openS3Blobs } from './s3.ts'
import type { S3Settings } from './s3-requests.ts'
import { openSpool } from './spool.ts'

const bytesMax = 1_000_000
const content = randomBytes(200_000)
const streamOf = (...chunks: Uint8Array[]) => Readable.from(chunks)

/** One server for the whole file: every blob has a key of its own. */
const endings: (() => Promise<void>)[] = []
let server: S3Settings
beforeAll(async () => {
  server = await startS3Server((work) => endings.unshift(work))
})
afterAll(async () => {
  for (const end of endings) await end()
})

async function makeDirectory() {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollway-blobs-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

const stores: Record<string, () => Promise<{ blobs: Blobs; incoming: string }>> = {
  async local() {
    const directory = await makeDirectory()
    return {
      blobs: await openLocalBlobs({ directory, clock }),
      incoming: path.join(directory, 'incoming'),
    }
  },
  async s3() {
    const directory = await makeDirectory()
    const blobs = await openS3Blobs(server, { directory, clock })
    onTestFinished(blobs.close)
    return { blobs, incoming: directory }
  },
}

describe.each(Object.keys(stores))('%s blobs', (kind) => {
  const open = () => (stores[kind] as (typeof stores)[string])()
  const store = async (blobs: Blobs, key: string, bytes: Uint8Array) =>
    await (await blobs.stage(key, streamOf(bytes), { bytesMax })).publish()

  test('staged bytes are measured, and are visible only once they are published', async () => {
    const { blobs, incoming } = await open()
    const key = randomUUID()
    const chunks = [content.subarray(0, 3_000), content.subarray(3_000)]
    const staged = await blobs.stage(key, streamOf(...chunks), { bytesMax: content.length })
    expect(staged).toMatchObject({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    expect(Buffer.from(staged.head)).toEqual(content.subarray(0, 4_096))
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing)
    await staged.publish()
    expect(await buffer(await blobs.read(key))).toEqual(content)
    await staged.discard()
    expect(await buffer(await blobs.read(key))).toEqual(content)
    expect(await readdir(incoming)).toEqual([])
  })

  test.each([
    [{ start: 0, end: 1 }, content.subarray(0, 2)],
    [{ start: 100_000, end: 150_000 }, content.subarray(100_000, 150_001)],
    [{ start: 199_999, end: 199_999 }, content.subarray(199_999)],
  ])('the range %o is served', async (range, expected) => {
    const { blobs } = await open()
    const key = randomUUID()
    await store(blobs, key, content)
    expect(await buffer(await blobs.read(key, range))).toEqual(expected)
  })

  test('no bytes at all are a blob too', async () => {
    const { blobs } = await open()
    const key = randomUUID()
    await store(blobs, key, new Uint8Array())
    expect(await buffer(await blobs.read(key))).toEqual(Buffer.alloc(0))
  })

  test('what is too large, or breaks off, leaves nothing', async () => {
    const { blobs, incoming } = await open()
    const key = randomUUID()
    const tooLong = blobs.stage(key, streamOf(content), { bytesMax: content.length - 1 })
    await expect(tooLong).rejects.toThrow(BlobTooLarge)
    const broken = Readable.from(
      (async function* () {
        yield content
        throw new Error('The connection broke.')
      })(),
    )
    await expect(blobs.stage(key, broken, { bytesMax })).rejects.toThrow('The connection broke.')
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing)
    expect(await readdir(incoming)).toEqual([])
  })

  test('a discarded or removed blob is gone', async () => {
    const { blobs, incoming } = await open()
    const key = randomUUID()
    await (await blobs.stage(key, streamOf(content), { bytesMax })).discard()
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing)
    await store(blobs, key, content)
    await blobs.remove(key)
    await blobs.remove(key)
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing)
    expect(await readdir(incoming)).toEqual([])
  })

  test('a key that the gateway has not made is refused', async () => {
    const { blobs } = await open()
    for (const key of ['../../etc/passwd', '', `${randomUUID()}/..`]) {
      await expect(blobs.stage(key, streamOf(content), { bytesMax })).rejects.toThrow(TypeError)
      await expect((async () => await blobs.read(key))()).rejects.toThrow(TypeError)
    }
  })

  test('what a dead process left is swept, and what is being received is not', async () => {
    const { blobs, incoming } = await open()
    const key = randomUUID()
    const source = new Readable({ read() {} })
    const staging = blobs.stage(key, source, { bytesMax })
    source.push(content)
    await expect.poll(() => readdir(incoming)).toHaveLength(1)
    await blobs.sweep()
    const [name = ''] = await readdir(incoming)
    const longAgo = new Date(clock.now() - 3_600_000)
    await utimes(path.join(incoming, name), longAgo, longAgo)
    await blobs.sweep()
    expect(await readdir(incoming)).toEqual([])
    source.destroy(new Error('over'))
    await expect(staging).rejects.toThrow()
  })
})

test('what a killed process was receiving is swept at once, and what another machine receives is not', async () => {
  const directory = await makeDirectory()
  const receive = `
    import { Readable } from 'node:stream'
    import { openSpool } from './src/platform/blobs/spool.ts'
    const spool = await openSpool({ directory: process.argv[1], clock: { now: Date.now } })
    const source = new Readable({ read() {} })
    spool.receive(source, { bytesMax: 1_000 })
    source.push('half of it')
    // Nothing else keeps the process alive.
    setInterval(() => {}, 60_000)`
  const root = path.join(import.meta.dirname, '../../..')
  const dying = spawn(process.execPath, ['--input-type=module', '-e', receive, directory], {
    cwd: root,
    stdio: 'inherit',
  })
  await expect.poll(() => readdir(directory)).toHaveLength(1)
  const other = `other_machine.1.${randomUUID()}.${randomUUID()}`
  await writeFile(path.join(directory, other), 'half of it')
  const spool = await openSpool({ directory, clock })
  await spool.sweep()
  expect(await readdir(directory)).toHaveLength(2)
  dying.kill('SIGKILL')
  await once(dying, 'close')
  await spool.sweep()
  expect(await readdir(directory)).toEqual([other])
})

test('a bucket whose key is wrong says so, and does not ask to try again', async () => {
  const wrong = { ...server, secretAccessKey: 'wrong' }
  const blobs = await openS3Blobs(wrong, { directory: await makeDirectory(), clock })
  onTestFinished(blobs.close)
  const failure = await blobs.remove(randomUUID()).catch((thrown: Error) => thrown)
  expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('key') })
  expect(String(failure)).not.toMatch(/does not answer|try again shortly/)
})

describe('addresses of an S3 store', () => {
  const hour = { expiresInMs: 3_600_000 }
  const put = (url: string, body: Uint8Array) =>
    fetch(url, { method: 'PUT', body: body as BodyInit })

  test('a PUT of exactly the signed length is taken, and nothing is visible before it is published', async () => {
    const { blobs } = await (stores.s3 as (typeof stores)[string])()
    const { direct } = blobs
    const key = randomUUID()
    const address = (await direct?.putAddress(key, { bytes: content.length, ...hour })) ?? ''
    expect(await direct?.arrived(key, content.length)).toBeUndefined()
    for (const other of [content.subarray(1), Buffer.concat([content, content])])
      expect((await put(address, other)).status).toBe(403)
    expect(await direct?.arrived(key, content.length)).toBeUndefined()
    expect((await put(address, content)).status).toBe(200)
    const staged = await direct?.arrived(key, content.length)
    expect(staged).toMatchObject({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    await expect(blobs.read(key)).rejects.toThrow(BlobMissing)
    await staged?.publish()
    expect(await buffer(await blobs.read(key))).toEqual(content)
    // A later PUT to the same address changes nothing that is published.
    expect((await put(address, randomBytes(content.length))).status).toBe(200)
    expect(await buffer(await blobs.read(key))).toEqual(content)
  })

  test('a GET is answered with the type and the name of the file, until it expires', async () => {
    const { blobs } = await (stores.s3 as (typeof stores)[string])()
    const key = randomUUID()
    await (await blobs.stage(key, streamOf(content), { bytesMax })).publish()
    const disposition = 'attachment; filename="a b+c.bin"'
    const served = { mediaType: 'text/plain', disposition }
    const address = (await blobs.direct?.getAddress(key, { ...served, ...hour })) ?? ''
    const reply = await fetch(address)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(content)
    expect(reply.headers.get('content-type')).toContain('text/plain')
    expect(reply.headers.get('content-disposition')).toBe(disposition)
    expect((await fetch(address.replace(key, randomUUID()))).status).toBe(403)
    const expired = (await blobs.direct?.getAddress(key, { ...served, expiresInMs: -1_000 })) ?? ''
    expect((await fetch(expired)).status).toBe(403)
  })

  test('a store that is away is unavailable', async () => {
    const directory = await makeDirectory()
    const blobs = await openS3Blobs({ ...server, secretAccessKey: 'wrong' }, { directory, clock })
    onTestFinished(blobs.close)
    await expect(blobs.read(randomUUID())).rejects.toMatchObject({ code: 'unavailable' })
    const away = await openS3Blobs(
      { ...server, endpoint: 'http://127.0.0.1:9' },
      { directory, clock },
    )
    onTestFinished(away.close)
    await expect(away.read(randomUUID())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
