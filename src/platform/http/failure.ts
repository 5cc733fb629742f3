// The one table of what a provider's failures mean to our caller. No vendor's text, body or credential passes through it.
import { CallError, type ErrorCode, fail } from '#core/errors.ts'
import type { FailureReader } from '#core/provider.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Meaning {
  readonly code: ErrorCode
  readonly message?: string
  /** The caller can do nothing about it, the operator can. */
  readonly operatorAlert?: true
}

const refusedRequest: Meaning = {
  code: 'bad_request',
  message: 'The provider refused these parameters. Check them against the input schema.',
}
const refusedGateway: Meaning = {
  code: 'upstream_error',
  message: 'The provider refused this gateway, not your call. Nothing was charged.',
  operatorAlert: true,
}

const meanings: Readonly<Record<number, Meaning>> = {
  400: refusedRequest,
  401: refusedGateway,
  // A vendor's own demand for payment must never look like ours.
  402: refusedGateway,
  403: refusedGateway,
  404: {
    code: 'not_found',
    message: 'The provider has nothing by that name. Nothing was charged.',
  },
  409: { code: 'upstream_busy' },
  422: refusedRequest,
  429: {
    code: 'rate_limited',
    message: 'The provider takes no more requests for now. Wait as long as Retry-After says.',
  },
}

const retryAfterSecondsDefault = 5
const retryAfterSecondsMax = 86_400

/** What went wrong, or undefined when nothing did. `seen` says where, in words that hold no secret. */
export function readFailure(
  reply: RawReply,
  options: {
    reader?: FailureReader | undefined
    accept: readonly number[]
    nowMs: number
    seen: string
  },
): { readonly error: CallError; readonly operatorAlert: boolean } | undefined {
  const { reader, accept, nowMs, seen } = options
  const cause = new Error(`${seen} answered ${reply.status}.`)
  const told = reader?.(reply)
  if (told !== undefined && typeof told !== 'number') {
    const { code, message, retryAfterSeconds } =
      typeof told === 'string'
        ? { code: told, message: undefined, retryAfterSeconds: undefined }
        : told
    const wait = retryAfterSeconds ?? waitFor(code, reply, nowMs)
    return {
      error: fail(code, { message: message ?? ownMessage(code), retryAfterSeconds: wait, cause }),
      operatorAlert: false,
    }
  }
  const status = told ?? reply.status
  if ((status >= 200 && status < 300) || accept.includes(status)) return undefined
  const {
    code,
    message,
    operatorAlert = false,
  } = meanings[status] ?? {
    code: 'upstream_error' as const,
  }
  return {
    error: fail(code, { message, retryAfterSeconds: waitFor(code, reply, nowMs), cause }),
    operatorAlert,
  }
}

/** A code that a provider's reader chose says the same as the status that usually stands for it. */
function ownMessage(code: ErrorCode): string | undefined {
  return Object.values(meanings).find((meaning) => meaning.code === code && !meaning.operatorAlert)
    ?.message
}

function waitFor(code: ErrorCode, { headers }: RawReply, nowMs: number): number | undefined {
  return code === 'rate_limited' ? readRetryAfter(headers['retry-after'], nowMs) : undefined
}

/** Whole seconds from either form of the header, at least 1; the default when it is absent or unreadable. */
function readRetryAfter(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1_000
  if (Number.isNaN(seconds)) return retryAfterSecondsDefault
  return Math.min(Math.max(Math.ceil(seconds), 1), retryAfterSecondsMax)
}

/** A failure before there was a reply that could be read: no connection, no answer in time, an answer cut short. */
export function brokenExchange(thrown: unknown, seen: string): CallError {
  if (thrown instanceof CallError) return thrown
  const { name, code } = thrown as { name?: string; code?: string }
  const timedOut = name === 'TimeoutError' || /TIMEOUT/.test(code ?? '')
  return fail('upstream_error', {
    message: timedOut
      ? 'The provider did not answer in time. Nothing was charged; try again.'
      : 'The provider could not be reached, or broke off its answer. Nothing was charged; try again.',
    cause: new Error(`${seen} failed: ${code ?? name ?? 'unknown'}.`),
  })
}
