// Sends requests, and repeats those that can be repeated without a second charge.
import { canSucceedLater, readError, TollwayError } from './errors.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** When a request is repeated. */
export interface RetryPolicy {
  /** Failures after which the client gives up. 1 repeats nothing that failed. Default 4. */
  readonly failuresMax?: number
  /** The client gives up rather than wait past this time, counted from the first sending. Default 5 minutes. */
  readonly giveUpAfterMs?: number
}

export interface Transport {
  /**
   * Sends a request, and reads its answer by `read`. An answer that breaks off while it is read is a failed connection.
   */
  send<Answer>(request: Sending, read: (response: Response) => Promise<Answer>): Promise<Answer>
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path of the gateway, or a whole address, which then gets no credential. */
  readonly at: string
  readonly json?: unknown
  readonly bytes?: Blob | Uint8Array<ArrayBuffer>
  readonly idempotencyKey?: string | undefined
  /**
   * For a POST that changes nothing. Requests with an idempotency key, and those of other methods, are always
   * repeatable.
   */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal | undefined
}

interface Dependencies {
  readonly baseUrl: string
  readonly key: string | undefined
  readonly fetch: Fetch
  readonly retry: RetryPolicy
}

const failuresMaxDefault = 4
const giveUpAfterMsDefault = 300_000
const firstWaitMs = 250
const waitMsMax = 8_000

/**
 * The first request is being worked on or paid. Repeating it is the way to wait for its answer, so it is not a failure.
 */
const stillRunning = new Set(['idempotency_in_progress', 'payment_in_progress', 'payment_pending'])
/** What the gateway, or a proxy before it, answers to requests that it has not carried out. */
const notNow = new Set([409, 429, 502, 503, 504])
/** The work was done and failed. The caller decides whether to ask for it again. */
const workFailed = new Set(['all_blocked', 'document_unavailable'])

export function createTransport({ baseUrl, key, fetch, retry }: Dependencies): Transport {
  const { failuresMax = failuresMaxDefault, giveUpAfterMs = giveUpAfterMsDefault } = retry
  const root = baseUrl.replace(/\/+$/, '')

  function initOf({ method, at, json, bytes, idempotencyKey, signal }: Sending): RequestInit {
    const body = json === undefined ? bytes : JSON.stringify(json)
    return {
      method,
      headers: {
        ...(key !== undefined && at.startsWith('/') ? { authorization: `Bearer ${key}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }
  }

  return {
    async send(request, read) {
      const { signal, at } = request
      const giveUpAtMs = Date.now() + giveUpAfterMs
      const repeatable =
        request.method !== 'POST' || request.idempotencyKey !== undefined || request.repeatable
      for (let attempt = 1, failures = 0; ; attempt++) {
        signal?.throwIfAborted()
        try {
          const response = await fetch(at.startsWith('/') ? root + at : at, initOf(request))
          if (!response.ok) throw readError(response, await response.text())
          return await read(response)
        } catch (cause) {
          signal?.throwIfAborted()
          const error = asFailure(cause)
          if (!stillRunning.has(error.code)) failures++
          const waitMs = error.retryAfterMs ?? backOff(attempt)
          const givesUp = failures >= failuresMax || Date.now() + waitMs > giveUpAtMs
          if (!repeatable || givesUp || !canBeRepeated(error)) throw error
          await sleep(waitMs, signal)
        }
      }
    },
  }
}

function canBeRepeated({ code, status }: TollwayError): boolean {
  if (code === 'connection_failed') return true
  if (status === undefined || !notNow.has(status) || workFailed.has(code)) return false
  return code === 'unreadable_answer' || canSucceedLater(code)
}

/** Throws what is not a failure of the connection: a wallet that refuses to pay must not be asked again. */
function asFailure(cause: unknown): TollwayError {
  if (cause instanceof TollwayError) return cause
  // By the standard, `fetch` fails with a TypeError; some runtimes give system errors, which have a code, or broken
  // JSON.
  const isConnection =
    cause instanceof TypeError || cause instanceof SyntaxError || isSystemError(cause)
  if (!isConnection) throw cause
  return new TollwayError('connection_failed', {
    message:
      'The gateway could not be reached, or the connection broke before the answer was whole. Check baseUrl and the network, and repeat the call with the same idempotency key.',
    cause,
  })
}

const isSystemError = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'

/** Doubles, and varies so that clients that failed together do not come back together. */
const backOff = (attempt: number) =>
  Math.min(firstWaitMs * 2 ** (attempt - 1), waitMsMax) * (0.5 + Math.random() / 2)

/** Rejects with the reason of `signal`. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
