// What the pure rooms ask of the machine. `platform` implements these; tests may hand in their own.

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
  /** Statuses besides 2xx that the action itself understands; every other one throws. */
  readonly accept?: readonly number[] | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's reply has no type until the action's output schema has read it.
  readonly body: any
}

type RequestOptions = Omit<HttpRequest, 'method' | 'path' | 'body'>

/**
 * The one way in which an action reaches its provider. It carries base URL, credential, timeout, byte limit, courtesy
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

/** What a service offers the runner: its client, bound anew to the signal of each call. */
export interface ServiceHttp extends ProviderHttp {
  /** The same client for one call: every request of it ends when `signal` is aborted, with the signal's reason. */
  withSignal(signal: AbortSignal): ProviderHttp
}
