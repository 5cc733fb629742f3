// PUT of a file to an address that a vendor gave, through the guard.
import { Readable } from 'node:stream'
import { request } from 'undici'
import { createDial, createEgressAgent } from './dial.ts'
import { FetchFailure } from './failure.ts'
import type { EgressGuard } from './guard.ts'

export interface Upload {
  readonly url: string
  readonly mediaType: string
  readonly bytes: number
  readonly content: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

export interface EgressUploader {
  /** Throws EgressRefusal, FetchFailure, or the reason of the signal. */
  put(upload: Upload): Promise<void>
  close(): Promise<void>
}

const uploadTimeoutMs = 300_000

export function createEgressUploader({ guard }: { readonly guard: EgressGuard }): EgressUploader {
  const agent = createEgressAgent(createDial(guard))
  return {
    async put({ url, mediaType, bytes, content, signal }) {
      guard.admit(new URL(url))
      const timeout = AbortSignal.timeout(uploadTimeoutMs)
      const reply = await request(url, {
        dispatcher: agent,
        method: 'PUT',
        headers: { 'content-type': mediaType, 'content-length': String(bytes) },
        body: Readable.from(content),
        signal: AbortSignal.any([signal, timeout]),
      }).catch((cause) => {
        signal.throwIfAborted()
        throw new FetchFailure(
          timeout.aborted ? 'timeout' : 'connection',
          'The upload failed.',
          cause,
        )
      })
      await reply.body.dump()
      if (reply.statusCode >= 300)
        throw new FetchFailure('connection', `The upload was answered with ${reply.statusCode}.`)
    },
    close: () => agent.destroy(),
  }
}
