// Opens the address of a vendor's output. The address comes from the vendor, so the egress guard checks it.
import { type CallError, fail } from '#core/errors.ts'
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'

/** Of one output, as of one file. */
const outputBytesMax = 100_000_000
const fetchTimeoutMs = 150_000
const unknownType = 'application/octet-stream'

export function createOutputOpener({ guard }: { guard: EgressGuard }) {
  const fetcher = createEgressFetcher({ guard })
  return {
    async open(url: string, signal: AbortSignal) {
      const request = { url, signal, bytesMax: outputBytesMax, timeoutMs: fetchTimeoutMs }
      const reply = await fetcher.stream(request).catch((thrown) => {
        throw signal.aborted ? thrown : lost(thrown)
      })
      if (reply.status !== 200) {
        for await (const _ of reply.body) break
        throw lost(new Error(`The output answered ${reply.status}.`))
      }
      const mediaType = reply.headers['content-type']?.split(';')[0]?.trim() || unknownType
      return { mediaType, content: explained(reply.body, signal) }
    },
    close: fetcher.close,
  }
}

/** The same bytes. What breaks them becomes a CallError. */
async function* explained(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  try {
    yield* bytes
  } catch (thrown) {
    throw signal.aborted ? thrown : lost(thrown)
  }
}

const lost = (cause: unknown): CallError =>
  fail('upstream_error', {
    message:
      'The output was made, but could not be fetched to keep it as a file. Nothing was charged; try again, or leave out store.',
    cause,
  })
