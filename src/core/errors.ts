// The table of all errors of a call. Surfaces, documentation and the OpenAPI file read it.

interface ErrorEntry {
  readonly status: number
  /** Whether the same call can succeed later. */
  readonly retryable: boolean
  /** The default message for the caller. */
  readonly message: string
  /** The default Retry-After header. */
  readonly retryAfterSeconds?: number
}

const entry = (
  status: number,
  message: string,
  retryable = false,
  retryAfterSeconds?: number,
): ErrorEntry => ({
  status,
  retryable,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})

export const errorTable = {
  bad_request: entry(
    400,
    'The body does not fit this action. GET the action to see its input schema.',
  ),
  bad_url: entry(
    400,
    'One of the inputs is not a web address. Send http or https addresses, or bare host names.',
  ),
  onescrape_social: entry(
    400,
    'Pages of social platforms are not read here. Use a platform data action.',
  ),
  onescrape_document: entry(
    400,
    'PDF and office files are not web pages. Read them with read-document.',
  ),
  document_encrypted: entry(
    400,
    'The document is encrypted. Remove its password and send it again.',
  ),
  document_unreadable: entry(
    400,
    'The file is not a document that can be read. Send a PDF, DOCX, XLSX, PPTX, EPUB or CSV file.',
  ),
  document_too_large: entry(
    400,
    'The document is too large to be read. Split it and send the parts.',
  ),
  no_scenes: entry(
    400,
    'The film has no scenes: no clip of its composition can be rendered. Check it with validate and fix every error.',
  ),
  content_policy_violation: entry(
    400,
    'The request was declined by the content check. Reword it and try again.',
  ),
  invalid_token: entry(
    401,
    'Send a valid API key as "Authorization: Bearer <key>". POST /api/v1/agents issues one.',
  ),
  payment_required: entry(
    402,
    'Pay for this call: answer one of the challenges of this response and repeat it, or send an API key.',
  ),
  payment_invalid: entry(
    402,
    'This payment does not pay for this call. Nothing was taken; answer one of the new challenges.',
  ),
  payment_already_used: entry(
    402,
    'This payment has paid for another request. Answer one of the new challenges for this one.',
  ),
  settlement_failed: entry(
    402,
    'The payment could not be settled, so nothing was paid or delivered. Answer one of the new challenges.',
  ),
  x402_not_sellable: entry(
    402,
    'This action is not sold over x402. Pay another challenge of this response, or send an API key.',
  ),
  credits_required: entry(
    402,
    'The balance does not cover the amount that this job would hold. Top up, or lower the budget.',
  ),
  insufficient_balance: entry(402, 'The balance does not cover this call. Top up and call again.'),
  max_cost_required: entry(
    402,
    'The price of this purchase varies. Send max_cost_cents, the most that you agree to pay.',
  ),
  max_cost_exceeded: entry(
    402,
    'The price is above your max_cost_cents. Raise the ceiling to go ahead.',
  ),
  spend_limit_reached: entry(
    402,
    'A spending limit of this API key does not cover the call. Raise the limit or use another key.',
  ),
  paid_topup_required: entry(
    402,
    'This action is for accounts that have paid a top-up themselves. Top up by POST /api/v1/topups and call again, or pay for the call by a wallet.',
  ),
  forbidden: entry(403, 'This credential may not do that.'),
  account_frozen: entry(
    403,
    'The operator of this gateway has frozen this account. Ask the operator to unfreeze it.',
  ),
  verification_required: entry(
    403,
    'The seller must verify the buyer. Open verify_url, then repeat the call with this order_id. Nothing was charged.',
  ),
  not_found: entry(404, 'There is nothing here by that name.'),
  method_not_allowed: entry(405, 'This address does not take that method.'),
  cancelled: entry(
    409,
    'The job was cancelled before it had delivered anything. Nothing was charged.',
  ),
  job_begun: entry(
    409,
    'This job has begun and cannot be cancelled. Poll its job_id for the answer.',
  ),
  upstream_busy: entry(
    409,
    'The provider is busy with another call. Wait a moment and send one call at a time.',
    true,
  ),
  idempotency_in_progress: entry(
    409,
    'The first call with this Idempotency-Key is still running. Repeat it in a moment.',
    true,
  ),
  payment_in_progress: entry(
    409,
    'The call that this payment pays for is still running. Repeat the request with the same payment in a moment.',
    true,
  ),
  file_pending: entry(
    409,
    'The bytes of this file have not arrived. PUT them to the put_url of its upload, then call again.',
    true,
  ),
  file_already_uploaded: entry(
    409,
    'The bytes of this file have arrived already. To store others, call files/upload again.',
  ),
  session_closed: entry(409, 'This session is closed. Create another one with create_session.'),
  session_elsewhere: entry(
    503,
    'This session is being opened or continued, or another gateway of this service has it. Try again shortly, or send the request to that gateway.',
    true,
    2,
  ),
  stale_etag: entry(
    409,
    'The composition was changed after you read it. Read it again, make your change and save with its new etag.',
  ),
  request_timeout: entry(408, 'The request did not arrive in time. Send it again, faster.'),
  payload_too_large: entry(413, 'The body is too large.'),
  unsupported_encoding: entry(
    415,
    'Compressed bodies are not read here. Send the body uncompressed, without a Content-Encoding header.',
  ),
  file_quota_exceeded: entry(
    413,
    'There is not enough room for this file in the quota of your account. Delete files with files/delete, or ask the operator for more.',
  ),
  index_quota_exceeded: entry(
    413,
    'There is no room for this in the indexes of your account. Delete one with delete-index, or ask the operator for more.',
  ),
  headers_too_large: entry(
    431,
    'The address and headers of a request have at most 16384 bytes together. Send fewer.',
  ),
  idempotency_key_reused: entry(
    422,
    'This Idempotency-Key was used with another request. Use a new key for a new request.',
  ),
  too_many_inflight: entry(
    429,
    'Too many calls of this account are running. Wait for one to finish.',
    true,
  ),
  rate_limited: entry(429, 'Too many requests. Wait as long as Retry-After says.', true),
  client_closed_request: entry(
    499,
    'The caller left before the answer had begun. Nothing was charged.',
  ),
  upstream_error: entry(
    500,
    'The call failed on our side or at the provider. Nothing was charged; try again.',
    true,
  ),
  all_blocked: entry(502, 'No page could be read. Nothing was charged.', true),
  document_unavailable: entry(
    502,
    'The document could not be fetched. Nothing was charged; check its address.',
    true,
  ),
  provider_not_configured: entry(
    503,
    'This action has no provider on this gateway. Nothing was charged.',
  ),
  payment_pending: entry(
    503,
    'The payment is not confirmed yet. Repeat the very same request, with the same payment or Idempotency-Key; do not pay again.',
    true,
    2,
  ),
  outcome_unknown: entry(
    503,
    'It is uncertain whether the seller accepted this order. Do not order again: the price stays held until the operator has resolved it.',
  ),
  unavailable: entry(
    503,
    'The gateway cannot take calls at this moment. Nothing was charged; try again shortly.',
    true,
    1,
  ),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

export interface FailureOptions {
  /** For the caller: a sentence that says what to do next, without secrets or a vendor's text. */
  readonly message?: string | undefined
  /** Diagnostics that the caller may see. */
  readonly data?: unknown
  /** Whole seconds after which a retry makes sense; becomes the Retry-After header. */
  readonly retryAfterSeconds?: number | undefined
  /** Lets the caller pay: headers of the response, and fields beside those of the error. */
  readonly challenge?: Challenge | undefined
  /** The failed call, if it has a row in the ledger. */
  readonly transactionId?: string | undefined
  /** For the log only. */
  readonly cause?: unknown
  /** Replaces the status of the table where clients would misread it. */
  readonly status?: number | undefined
}

export interface Challenge {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** More fields of the body, as JSON text without braces: written once for many responses. */
  readonly written?: readonly Uint8Array[]
}

/** An expected failure. It has a code of the table and a message for the caller, and the call costs nothing. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly data: unknown
  readonly retryAfterSeconds: number | undefined
  readonly challenge: Challenge | undefined
  readonly status: number
  readonly transactionId: string | undefined

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause })
    this.name = 'CallError'
    this.code = code
    this.data = options.data
    const known: ErrorEntry = errorTable[code]
    this.retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds
    this.challenge = options.challenge
    this.status = options.status ?? known.status
    this.transactionId = options.transactionId
  }
}

/** `throw fail('all_blocked', { cause })`. */
export function fail(code: ErrorCode, options?: FailureOptions): CallError {
  return new CallError(code, options)
}

/**
 * As `fail`, for a failure that is a usual answer and is never logged: a stack is a tenth of what such an answer costs.
 */
export function failWithoutStack(code: ErrorCode, options?: FailureOptions): CallError {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return fail(code, options)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** For `.catch(...)`: adds the id of the failed call, so that the caller can look it up. */
export function ofTransaction(transactionId: string): (thrown: unknown) => never {
  return (thrown) => {
    const { code, message, cause, data, retryAfterSeconds, challenge, status } = toCallError(thrown)
    const same = { message, cause, data, retryAfterSeconds, challenge, status }
    throw fail(code, { ...same, transactionId })
  }
}

/**
 * Turns anything thrown into a CallError. An unexpected error becomes `upstream_error` and is kept as the cause for the
 * log.
 */
export function toCallError(thrown: unknown): CallError {
  return thrown instanceof CallError ? thrown : fail('upstream_error', { cause: thrown })
}

/** For `.catch(...)`: replaces the message of a failure with this code. */
export function explain(code: ErrorCode, message: string): (thrown: unknown) => never {
  return (thrown) => {
    if (thrown instanceof CallError && thrown.code === code) {
      throw fail(code, { message, data: thrown.data, cause: thrown.cause })
    }
    throw thrown
  }
}

/** What was thrown, as an Error. Code may throw anything. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown ?? ''))
