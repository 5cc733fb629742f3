// Maps a provider's failures to errors for the caller. If the vendor explains a refused request, its text is cleaned
// and passed on as `data.provider_message`. Nothing else in its reply is passed on.
import { CallError, type ErrorCode, fail } from '#core/errors.ts'
import type { FailureReader } from '#core/provider.ts'
import { errorCodeOf, errorNameOf } from '../thrown.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly truncated?: boolean
}

interface FailureMeaning {
  readonly code: ErrorCode
  readonly message?: string
  /** The kind of failure, for the caller's program. */
  readonly reason?: string
  /** Only the operator can fix it. */
  readonly operatorAlert?: true
}

const refusedRequest: FailureMeaning = {
  code: 'bad_request',
  message:
    'The provider refused these parameters. Check them against the input schema; data.provider_message, if present, quotes the provider.',
}
const refusedGateway: FailureMeaning = {
  code: 'upstream_error',
  message: 'The provider refused this gateway, not your call. Nothing was charged.',
  reason: 'provider_auth',
  operatorAlert: true,
}
const tooSlow: FailureMeaning = {
  code: 'upstream_error',
  message: 'The provider did not finish in time. Nothing was charged; try again, or ask for less.',
  reason: 'timeout',
}

const meanings: Readonly<Record<number, FailureMeaning>> = {
  400: refusedRequest,
  401: refusedGateway,
  // A vendor's 402 must not look like ours.
  402: { ...refusedGateway, reason: 'provider_unfunded' },
  403: refusedGateway,
  404: {
    code: 'not_found',
    message: 'The provider has no such item. Nothing was charged.',
  },
  408: tooSlow,
  409: { code: 'upstream_busy' },
  422: refusedRequest,
  429: {
    code: 'rate_limited',
    message: 'The provider has reached its request limit. Wait for the time in Retry-After.',
  },
  504: tooSlow,
}

/** Whether the provider itself is at fault, so that other requests would fail too. */
const isDown = (status: number, { operatorAlert, reason }: Partial<FailureMeaning>) =>
  operatorAlert === true || (status >= 500 && reason !== 'timeout')

const retryAfterSecondsDefault = 5
const retryAfterSecondsMax = 86_400

export interface ProviderFailure {
  readonly error: CallError
  readonly operatorAlert: boolean
  readonly providerDown: boolean
}

/** Undefined if the reply is not a failure. `seen` names the request without any secret. */
export function readFailure(
  reply: RawReply,
  options: {
    reader?: FailureReader | undefined
    accept: readonly number[]
    nowMs: number
    seen: string
    /** Reads the vendor's explanation for the caller. */
    words?: (() => string | undefined) | undefined
  },
): ProviderFailure | undefined {
  const { reader, accept, nowMs, seen, words } = options
  const cause = new Error(`${seen} answered ${reply.status}.`)
  const told = reader?.(reply)
  if (told !== undefined && typeof told !== 'number') {
    const {
      code,
      message,
      retryAfterSeconds,
      operatorAlert = false,
    } = typeof told === 'string' ? { code: told } : told
    const wait = retryAfterSeconds ?? waitFor(code, reply, nowMs)
    return {
      error: fail(code, {
        message: message ?? ownMessage(code),
        ...(operatorAlert ? {} : withWords(code, words)),
        retryAfterSeconds: wait,
        cause,
      }),
      operatorAlert,
      providerDown: false,
    }
  }
  const status = told ?? reply.status
  if ((status >= 200 && status < 300) || accept.includes(status)) return undefined
  const meaning: FailureMeaning = meanings[status] ?? { code: 'upstream_error' }
  const { code, message, reason, operatorAlert = false } = meaning
  return {
    error: fail(code, {
      message,
      ...(reason === undefined ? withWords(code, words) : { data: { reason } }),
      retryAfterSeconds: waitFor(code, reply, nowMs),
      cause,
    }),
    operatorAlert,
    providerDown: isDown(status, meaning),
  }
}

/** Errors about what the caller sent. */
const callersOwn: readonly ErrorCode[] = ['bad_request', 'not_found', 'content_policy_violation']

function withWords(code: ErrorCode, words: (() => string | undefined) | undefined) {
  const text = callersOwn.includes(code) ? words?.() : undefined
  return text === undefined ? {} : { data: { provider_message: text } }
}

/** The usual message of a code that a provider's own reader chose. */
function ownMessage(code: ErrorCode): string | undefined {
  return Object.values(meanings).find(
    (meaning) => meaning.code === code && meaning.reason === undefined,
  )?.message
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

/** No connection was made, so no part of the request can have arrived. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** A failure without a readable reply: no connection, no answer in time, or an answer that was cut off. */
export function brokenExchange(thrown: unknown, seen: string): CallError {
  if (thrown instanceof CallError) return thrown
  const name = errorNameOf(thrown)
  const code = errorCodeOf(thrown)
  const unsent = neverSent.has(code ?? '')
  const timedOut = !unsent && (name === 'TimeoutError' || /TIMEOUT/.test(code ?? ''))
  return fail('upstream_error', {
    message: timedOut
      ? 'The provider did not answer in time. Nothing was charged; try again.'
      : 'The provider could not be reached, or its answer broke off. Nothing was charged; try again.',
    ...(timedOut
      ? { data: { reason: 'timeout' } }
      : unsent
        ? { data: { reason: 'not_sent' } }
        : {}),
    cause: new Error(`${seen} failed: ${code ?? name ?? 'unknown'}.`),
  })
}

const connectionErrors = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

const codeOf = (thrown: unknown) => errorCodeOf(thrown) ?? ''
export const isConnectionError = (thrown: unknown) => connectionErrors.has(codeOf(thrown))

/** No connection was made. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
export const isUnreachable = (thrown: unknown) => unreachable.has(codeOf(thrown))
