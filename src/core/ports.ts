// The interfaces through which the pure rooms use the machine. `platform` implements them; tests may replace them.

import type { SignedPurpose } from './access/open-access.ts'
import type { Micros } from './money.ts'
import type { UntypedJson } from './replies/untyped-json.ts'

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `delayMs`, or rejects with the signal's reason if it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A value of a query string: `undefined` is left out, an array is repeated. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Begins with `/` and is joined to the provider's base URL. The caller's parts are percent-encoded by `path`. */
  readonly path: string
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  /** Sent as JSON. Fields that are `undefined` are left out. */
  readonly body?: unknown
  /** The request sends these as they are, instead of `body`. `headers` name their content type. */
  readonly bytes?: Uint8Array | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Values for the `{placeholders}` of the base URL, as in `https://{lang}.wikipedia.org`. */
  readonly host?: Readonly<Record<string, string>> | undefined
  /**
   * Replaces the base URL: an address that the provider gave in a reply. Its host is that of the base URL, or ends like
   * an entry of `hosts` that begins with `*.`.
   */
  readonly at?: string | undefined
  /** How to read the reply. Default `json`. With `bytes`, its body is a Buffer. */
  readonly as?: 'json' | 'text' | 'bytes' | undefined
  /** Only gRPC has it: it reads this much of the reply and ends the exchange. The reply then says `truncated`. */
  readonly firstBytes?: number | undefined
  /** Ends this request before the call ends, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the provider's time limit. The reply may be silent for as long. */
  readonly timeoutMs?: number | undefined
  /** Leaves the operator's credential out, for an address behind which a caller's own program may answer. */
  readonly anonymous?: true | undefined
  /**
   * The most that the operator's wallet may pay for the answer; what is left of the call's price bounds it too. A
   * seller who asks for more is `max_cost_exceeded`, unpaid.
   */
  readonly payUpToCents?: number | undefined
  /** The operator's key is removed from the reply, in case the provider repeats it. Only with `as: 'bytes'`. */
  readonly hidesKey?: boolean | undefined
  /** Statuses besides 2xx that the action handles; every other one throws. */
  readonly accept?: readonly number[] | undefined
  /** The request goes on when its call ends: it begins work that must be cancelled then, or cancels it. */
  readonly outlivesCall?: boolean | undefined
  /** For a GET: how long its reply may be reused for the same request. Do not modify the body. */
  readonly rememberSeconds?: number | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: UntypedJson
  readonly truncated?: boolean | undefined
  /** What the operator's wallet paid for it. */
  readonly paid?: { readonly usd: number; readonly receipt: string | null } | undefined
}

/** Is told of each reply of a provider, also of those that are read as failures. */
export type OnReply = (
  request: HttpRequest,
  reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  },
) => void

type RequestOptions = Omit<HttpRequest, 'method' | 'path' | 'body'>

/**
 * The one way in which an action reaches its provider. It carries base URL, credential, timeout, byte limit, pacing
 * rate and the mapping of failures. Throws CallError: `upstream_error`, `rate_limited`, `not_found`, `bad_request`, ...
 */
export interface ProviderHttp {
  /** Its requests go to the provider's paid endpoint, which may have another API. */
  readonly atPaidEndpoint?: boolean | undefined
  send(request: HttpRequest): Promise<HttpReply>
  /** Resolves to the body of a GET. */
  get(path: string, options?: RequestOptions): Promise<UntypedJson>
  /** The body of the reply to a POST of `body` as JSON. Never retried: a provider may bill every POST. */
  post(path: string, body: unknown, options?: RequestOptions): Promise<UntypedJson>
  /** A token by the provider's key. Throws `provider_not_configured` without a key that signs. */
  sign(claims: object): { readonly issuer: string; readonly token: string }
}

/** A circuit breaker that is not closed: the provider's address failed too often in a row. */
export interface Circuit {
  readonly origin: string
  /** `half_open`: a call is probing whether the provider is back, or the next call will. */
  readonly state: 'open' | 'half_open'
  readonly failures: number
  /** ISO time of the next probe, at the earliest. */
  readonly retryAt: string
}

/** A signed payment of the operator's wallet to a seller. No money moves before its headers are sent. */
export interface SellerPayment {
  /** The id of the payment rail. */
  readonly protocol: string
  /** The seller's address on the chain. */
  readonly payee: string
  readonly micros: Micros
  /** Its id on the chain: the nonce of an authorization, or the hash of a transaction. */
  readonly chainReference: string
  /** The headers that pay for the request. */
  readonly headers: Readonly<Record<string, string>>
  /** The header of the seller's reply with the receipt, in lower case. */
  readonly receiptHeader: string
}

/** The budget for the requests of one call. */
export interface Spending {
  /** The amount that this call may still spend. */
  left(): Micros
  /**
   * Signs a payment, records it, and only then sends it. Payments are signed one at a time, each within the amount
   * left.
   */
  pay(
    sign: (left: Micros) => Promise<SellerPayment>,
    send: (payment: SellerPayment) => Promise<HttpReply>,
  ): Promise<HttpReply>
}

/** Counts a request before it is sent, and takes it back where its server could not be reached. */
export type CountAsked = (times: 1 | -1) => void

/** The client of a service, as the runner uses it. */
export interface ServiceHttp extends ProviderHttp {
  /**
   * The same client for one call: every request of it ends when `signal` is aborted, with the signal's reason. Without
   * `spending` nothing is paid for.
   */
  withSignal(signal: AbortSignal, spending?: Spending, asked?: CountAsked): ProviderHttp
  /** Removes the operator's credential from a text, in every form in which a vendor may repeat it. */
  redact(text: string): string
  /** The circuit breakers that are not closed, for the operator. */
  circuits(): readonly Circuit[]
}

/** Signs addresses that then need no credential: for one purpose and subject, and for a limited time. */
export interface UrlSigner {
  /** A query string that grants its bearer `subject` for `purpose` until it expires. */
  sign(purpose: SignedPurpose, subject: string, expiresAtMs: number): string
  /** Whether `exp` and `sig` are from such a query string that has not expired. */
  accepts(
    purpose: SignedPurpose,
    subject: string,
    query: { readonly exp?: unknown; readonly sig?: unknown },
  ): boolean
}
