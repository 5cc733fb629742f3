// What a failure of an upstream means for the next model and for the caller. No text of a vendor is passed on.
import { type CallError, fail } from '#core/errors.ts'
import type { TokenUsage } from '#core/model-price.ts'
import { isObject } from '../conversation/fields.ts'

export interface UpstreamFailure {
  readonly kind:
    | 'connect'
    | 'timeout'
    | 'busy'
    | 'server'
    | 'broken'
    | 'unreadable'
    | 'refused'
    | 'context'
    | 'policy'
    | 'unsupported'
    | 'invalid'
  /** For the log and the timeline. Never holds a secret. */
  readonly reason: string
  readonly retryAfterMs?: number | undefined
  /** The upstream's own error code and parameter name. */
  readonly code?: string | undefined
  readonly param?: string | undefined
  /** The upstream answered, in part or unusably, or was left while it worked: it bills what it has read and written. */
  readonly billed?: Billed | undefined
}

/** What an upstream has told about its bill, and the bytes of its answer. */
export interface Billed {
  readonly usage?: TokenUsage | undefined
  readonly costUsd?: number | undefined
  readonly deliveredBytes?: number | undefined
}

const retryAfterMsMax = 60_000
const retryAfterMsDefault = 5_000
const identifier = /^[\w.[\]-]{1,80}$/
const tooLong = /context|too (long|large)|maximum.*tokens|tokens.*(limit|maximum)/i
const unsupported = /^unsupported_(value|parameter)$/
const wrongKey = /api key not valid/i
const againstPolicy = /content[_ ]?(filter|policy|management)|moderation|flagged|safety/i

/** Reads a status other than 200, or an error inside a 200. */
export function readFailureReply(
  status: number,
  body: unknown,
  retryAfter?: string | undefined,
): UpstreamFailure {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const words = [error.code, error.type, error.message]
    .filter((word) => typeof word === 'string')
    .join(' ')
  const named = {
    reason: `status ${status}`,
    code: [error.code, error.type].find(isIdentifier),
    param: isIdentifier(error.param) ? error.param : undefined,
  }
  // Google answers 400 to a wrong key.
  if (wrongKey.test(words)) return { kind: 'refused', ...named }
  if (status === 429) return { kind: 'busy', ...named, retryAfterMs: readRetryAfterMs(retryAfter) }
  if (status === 408 || status >= 500) return { kind: 'server', ...named }
  if ([401, 402, 403, 404, 405].includes(status)) {
    return { kind: status === 403 && againstPolicy.test(words) ? 'policy' : 'refused', ...named }
  }
  if (againstPolicy.test(words)) return { kind: 'policy', ...named }
  if (status === 413 || tooLong.test(words)) return { kind: 'context', ...named }
  if (unsupported.test(named.code ?? '')) return { kind: 'unsupported', ...named }
  if (status >= 400) return { kind: 'invalid', ...named }
  return { kind: 'unreadable', ...named }
}

/** The status that matches an error inside a stream or a 200. */
export function statusOfError(error: unknown): number {
  const { code, status, type } = isObject(error) ? error : {}
  for (const number of [code, status])
    if (Number.isInteger(Number(number)) && Number(number) >= 400) return Number(number)
  if (/overloaded/.test(String(type))) return 529
  if (/rate_limit/.test(`${type} ${code}`)) return 429
  if (/invalid_request/.test(String(type))) return 400
  return 500
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && identifier.test(value)
}

function readRetryAfterMs(header: string | undefined): number {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds * 1_000, retryAfterMsMax)
    : retryAfterMsDefault
}

/** Whether another model may answer. A wrong request is wrong for every model, unless only this one lacks a feature. */
export function othersMayAnswer({ kind }: UpstreamFailure): boolean {
  return kind !== 'policy' && kind !== 'invalid'
}

/** Whether the same model may answer a second request soon. */
export function worthRepeating(failure: UpstreamFailure, waitMsMax: number): boolean {
  if (failure.kind === 'busy') return (failure.retryAfterMs ?? 0) <= waitMsMax
  return failure.kind === 'connect' || failure.kind === 'server' || failure.kind === 'broken'
}

/** Whether the failure is due to the upstream rather than to this request. */
export function countsAgainst({ kind }: UpstreamFailure): boolean {
  return !['policy', 'unsupported', 'invalid', 'context'].includes(kind)
}

export function failureToCallError(failure: UpstreamFailure, tier: boolean): CallError {
  const cause = new Error(`An upstream failed: ${failure.kind}, ${failure.reason}.`)
  const data = failure.param === undefined ? {} : { data: { param: failure.param } }
  switch (failure.kind) {
    case 'policy':
      return fail('content_policy_violation', { cause })
    case 'context':
      return fail('bad_request', {
        message:
          'The request exceeds the context of this model, its answer included. Send less, or name a model with a longer context.',
        data: { reason: 'context_length_exceeded' },
        cause,
      })
    case 'unsupported':
    case 'invalid': {
      const why = [failure.code, failure.param].filter((word) => word !== undefined).join(', ')
      return fail('bad_request', {
        message: `The model refused the request as invalid${why === '' ? '' : ` (${why})`}. Check which parameters this model accepts. Nothing was charged.`,
        ...data,
        cause,
      })
    }
    case 'busy':
      return fail('rate_limited', {
        message: `${tier ? 'Every model of this tier' : 'The model'} is busy. Wait for the time in Retry-After, or name another model. Nothing was charged.`,
        retryAfterSeconds: Math.max(1, Math.ceil((failure.retryAfterMs ?? 0) / 1_000)),
        cause,
      })
    default:
      return fail('upstream_error', {
        message: `${tier ? 'No model of this tier gave a usable answer' : 'The model could not be reached or gave no usable answer'}. Nothing was charged; try again.`,
        cause,
      })
  }
}
