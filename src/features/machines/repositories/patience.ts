// Ends a request when its client neither sends nor reads, so that it does not keep its place from others. The time in
// which Git works is not counted.
import { fail } from '#core/errors.ts'

export interface Patience {
  /** Aborts with `request_timeout`. */
  readonly signal: AbortSignal
  /** Passes on what the client sends. */
  receiving(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** What the client reads. */
  sending(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

export function createPatience(silenceMsMax: number): Patience {
  const ending = new AbortController()
  const wait = () => {
    const end = () => ending.abort(fail('request_timeout'))
    const timer = setTimeout(end, silenceMsMax).unref()
    return () => clearTimeout(timer)
  }
  return {
    signal: ending.signal,
    async *receiving(chunks) {
      let arrived = wait()
      try {
        for await (const chunk of chunks) {
          arrived()
          yield chunk
          arrived = wait()
        }
      } finally {
        arrived()
      }
    },
    async *sending(chunks) {
      for await (const chunk of chunks) {
        const taken = wait()
        try {
          yield chunk
        } finally {
          taken()
        }
      }
    },
  }
}
