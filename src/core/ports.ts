// What the pure rooms ask of the machine. `platform` implements these; tests may hand in their own.

import type { Micros } from './money.ts'

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `delayMs`, or rejects with the signal's reason when it is aborted first. */
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
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Values for the `{placeholders}` of the base URL, as in `https://{lang}.wikipedia.org`. */
  readonly host?: Readonly<Record<string, string>> | undefined
  /** How to read the reply. Default `json`. */
  readonly as?: 'json' | 'text' | undefined
  /**
   * The most that the operator's wallet may pay for the answer; what is left of the call's price bounds it too. A seller who
   * asks for more is `max_cost_exceeded`, unpaid.
   */
  readonly payUpToCents?: number | undefined
  /** Statuses besides 2xx that the action itself understands; every other one throws. */
  readonly accept?: readonly number[] | undefined
  /** A GET only: other requests for the same may be given this reply for so long. Its body must not be changed. */
  readonly rememberSeconds?: number | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's reply has no type until the action's output schema has read it.
  readonly body: any
  /** What the operator's wallet has paid for it. */
  readonly paid?: { readonly usd: number; readonly receipt: string | null } | undefined
}

type RequestOptions = Omit<HttpRequest, 'method' | 'path' | 'body'>

/**
 * The one way in which an action reaches its provider. It carries base URL, credential, timeout, byte limit, pacing
 * rate and the mapping of failures. Throws CallError: `upstream_error`, `rate_limited`, `not_found`, `bad_request`, ...
 */
export interface ProviderHttp {
  send(request: HttpRequest): Promise<HttpReply>
  /** The body of a GET. */
  // biome-ignore lint/suspicious/noExplicitAny: see HttpReply.body.
  get(path: string, options?: RequestOptions): Promise<any>
  /** The body of the reply to a POST of `body` as JSON. Never retried: a provider may bill every POST. */
  // biome-ignore lint/suspicious/noExplicitAny: see HttpReply.body.
  post(path: string, body: unknown, options?: RequestOptions): Promise<any>
}

/** A provider's address that is left alone because it failed too often in a row. */
export interface Circuit {
  readonly origin: string
  /** `half_open`: the next call probes whether the provider is back, or does so now. */
  readonly state: 'open' | 'half_open'
  readonly failures: number
  /** ISO time from which the next probe may go. */
  readonly retryAt: string
}

/** A payment of the operator's wallet to a seller, signed. Nothing has moved before its headers are sent. */
export interface SellerPayment {
  /** The id of the payment rail. */
  readonly protocol: string
  /** The seller's address on the chain. */
  readonly payee: string
  readonly micros: Micros
  /** What the chain knows it by: the nonce of an authorization, the hash of a transaction. */
  readonly chainReference: string
  /** What the request must carry to be paid for. */
  readonly headers: Readonly<Record<string, string>>
  /** The header of the seller's reply that holds its receipt, in lower case. */
  readonly receiptHeader: string
}

/** Who answers for the money that the requests of one call spend. */
export interface Spending {
  /** What may still be paid for this call. */
  left(): Micros
  /** Signs a payment, writes it down, and only then sends it. One is signed at a time, each within what is left then. */
  pay(
    sign: (left: Micros) => Promise<SellerPayment>,
    send: (payment: SellerPayment) => Promise<HttpReply>,
  ): Promise<HttpReply>
}

/** What a service offers the runner: its client, bound anew to the signal of each call. */
export interface ServiceHttp extends ProviderHttp {
  /**
   * The same client for one call: every request of it ends when `signal` is aborted, with the signal's reason. Without
   * `spending` nothing is paid for.
   */
  withSignal(signal: AbortSignal, spending?: Spending): ProviderHttp
  /** A text without the operator's credential, in all the forms in which a vendor may repeat it. */
  redact(text: string): string
  /** The circuits that are not closed, for the operator. */
  circuits(): readonly Circuit[]
}

/** Addresses that need no credential because they were signed: for one purpose, one thing and a limited time. */
export interface UrlSigner {
  /** The query string that lets its bearer have `subject` for `purpose` until then. */
  sign(purpose: string, subject: string, expiresAtMs: number): string
  /** Whether these are the `exp` and `sig` of such a query string, and it has not expired. */
  accepts(purpose: string, subject: string, query: { exp?: unknown; sig?: unknown }): boolean
}
