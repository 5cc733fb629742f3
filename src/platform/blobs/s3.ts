// Blobs in a store that speaks the S3 protocol. Callers send and fetch bytes there directly.
import { createReadStream } from 'node:fs'
import type { Clock } from '#core/ports.ts'
import { BlobMissing, type Blobs, checkKey, type DirectBlobs, type StagedBlob } from './blobs.ts'
import { createS3Requests, type S3Requests, type S3Settings } from './s3-requests.ts'
import { createMeter, openSpool } from './spool.ts'

/** What has been received, and what is published. Nothing under `files/` ever changes. */
const incoming = (key: string) => `incoming/${checkKey(key)}`
const published = (key: string) => `files/${checkKey(key)}`

export async function openS3Blobs(
  settings: S3Settings,
  { directory, clock }: { directory: string; clock: Clock },
): Promise<Blobs> {
  const requests = createS3Requests(settings, { clock })
  const spool = await openSpool({ directory, clock })
  const staging = createStaging(requests, settings.bucket)

  return {
    async stage(key, content, limits) {
      // A PUT needs its length in advance, so the bytes wait on this machine.
      const { path, discard, ...received } = await spool.receive(content, limits)
      try {
        const reply = await requests.send({
          method: 'PUT',
          name: incoming(key),
          body: () => createReadStream(path),
          headers: { 'content-length': String(received.bytes) },
        })
        await reply.body.dump()
      } finally {
        await discard()
      }
      return staging.of(key, received)
    },
    async read(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const reply = await requests.send({
        method: 'GET',
        name: published(key),
        ...(headers && { headers }),
      })
      if (reply.statusCode !== 404) return reply.body
      await reply.body.dump()
      throw new BlobMissing(key)
    },
    async remove(key) {
      for (const name of [incoming(key), published(key)]) await staging.erase(name)
    },
    sweep: spool.sweep,
    direct: createDirect(requests, staging),
    close: requests.close,
  }
}

type Staging = ReturnType<typeof createStaging>

function createStaging(requests: S3Requests, bucket: string) {
  async function erase(name: string) {
    await (await requests.send({ method: 'DELETE', name })).body.dump()
  }
  return {
    erase,
    /** `etag`: only this version is published. */
    of(key: string, received: Omit<StagedBlob, 'publish' | 'discard'>, etag?: string): StagedBlob {
      return {
        ...received,
        async publish() {
          const copied = await requests.send({
            method: 'PUT',
            name: published(key),
            headers: {
              'x-amz-copy-source': `/${bucket}/${incoming(key)}`,
              'content-length': '0',
              ...(etag && { 'x-amz-copy-source-if-match': etag }),
            },
          })
          await copied.body.dump()
          if (copied.statusCode >= 300) throw new BlobMissing(key)
          await erase(incoming(key))
        },
        discard: () => erase(incoming(key)),
      }
    },
  }
}

function createDirect(requests: S3Requests, staging: Staging): DirectBlobs {
  return {
    putAddress: (key, { bytes, expiresInMs }) =>
      requests.presign(
        // The length is signed, so the store refuses any other.
        { method: 'PUT', name: incoming(key), headers: { 'content-length': String(bytes) } },
        expiresInMs,
      ),
    getAddress: (key, { mediaType, disposition, expiresInMs }) =>
      requests.presign(
        {
          method: 'GET',
          name: published(key),
          query: {
            'response-content-type': mediaType,
            'response-content-disposition': disposition,
          },
        },
        expiresInMs,
      ),
    async arrived(key, bytes) {
      const { statusCode, headers, body } = await requests.send({
        method: 'HEAD',
        name: incoming(key),
      })
      await body.dump()
      if (statusCode !== 200 || Number(headers['content-length']) !== bytes) return undefined
      const etag = String(headers.etag)
      const whole = await requests.send({
        method: 'GET',
        name: incoming(key),
        headers: { 'if-match': etag },
      })
      // Replaced meanwhile by another PUT, which is found the next time.
      if (whole.statusCode !== 200) return void (await whole.body.dump())
      const meter = createMeter(bytes)
      for await (const chunk of whole.body) meter.take(chunk)
      return staging.of(key, meter.result(), etag)
    },
  }
}
