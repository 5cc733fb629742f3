import { errorCodes } from './catalog/error-codes.ts'

/** The codes that every gateway may answer with, and what the client itself can meet. */
export type ErrorCode = keyof typeof errorCodes | 'connection_failed' | 'unreadable_answer'

interface Details {
  readonly message: string
  readonly status?: number | undefined
  readonly transactionId?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly data?: unknown
  readonly cause?: unknown
}

/**
 * A call that was refused or failed. It has cost nothing, except where `code` is `outcome_unknown` or
 * `payment_pending`.
 */
export class TollwayError extends Error {
  override readonly name = 'TollwayError'
  /** A stable code. Gateways newer than this client may send others. */
  readonly code: ErrorCode | (string & {})
  /** The HTTP status. Absent when no answer arrived, and for a job that failed. */
  readonly status: number | undefined
  /** The transaction of the call, if the gateway held money for it. Read it back with the action `result`. */
  readonly transactionId: string | undefined
  /** The X-Request-Id of the answer, which the gateway's log names. */
  readonly requestId: string | undefined
  /** How long the gateway asks you to wait before you repeat the call. */
  readonly retryAfterMs: number | undefined
  /** Details, in the form that the code has. */
  readonly data: unknown

  constructor(code: string, { message, cause, ...details }: Details) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = details.status
    this.transactionId = details.transactionId
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
    this.data = details.data
  }
}

/** Whether the gateway says of this code that the same call can succeed later. */
export const canSucceedLater = (code: string): boolean =>
  Object.hasOwn(errorCodes, code) && errorCodes[code as keyof typeof errorCodes]

/** The error in an answer. Chats wrap theirs in an object, as clients of their format expect. */
export function readError(response: Response, text: string): TollwayError {
  const { status, headers } = response
  const body = parseObject(text)
  const inner = isObject(body.error) ? body.error : body
  const code = body.error === inner ? inner.code : body.error
  const details = {
    status,
    transactionId: textOf(body.transaction_id),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  }
  if (typeof code !== 'string')
    return new TollwayError('unreadable_answer', {
      ...details,
      message: `${response.url || 'The gateway'} answered ${status} without a code. Check that baseUrl is the address of a Tollway gateway.`,
    })
  return new TollwayError(code, {
    ...details,
    message: textOf(inner.message) ?? code,
    data: inner.data,
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Seconds or a date, as HTTP allows. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
