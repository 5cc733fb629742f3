import type { Action } from './action.ts'
import type { ErrorCode } from './errors.ts'
import type { ProviderHttp } from './ports.ts'

/** At most `requests` in any period of `windowMs`. A provider may have several windows. */
export interface PacingWindow {
  readonly requests: number
  readonly windowMs: number
  /** Counts only requests to this host. Absent: to all hosts together. */
  readonly host?: string
}

export interface Credential {
  /** Other environment variables for the key besides `<ID>_API_KEY`, such as the vendor's usual name. */
  readonly aliases?: readonly string[]
  /** How a key of several parts is written in one variable: `key:secret`. */
  readonly form?: string
  /** The provider also answers without a key. */
  readonly optional?: true
  /** A self-hosted server at `<ID>_BASE_URL` may be called without a key. */
  readonly optionalElsewhere?: true
  /** Where a request carries the key. */
  readonly attach: (
    key: string,
    request: { readonly method: string; readonly path: string },
  ) => {
    readonly headers?: Record<string, string>
    readonly query?: Record<string, string>
    /** Fields to add to a JSON body. */
    readonly body?: Record<string, string>
  }
  /**
   * For vendors whose key signs tokens and is never sent. Throws `provider_not_configured` for a key of another form.
   */
  readonly sign?: (key: string, claims: object) => SignedToken
}

/** A token that the operator's key has signed. */
export interface SignedToken {
  /** The operator's account at the vendor. */
  readonly issuer: string
  readonly token: string
}

/**
 * Translates the provider's report of a failure. A number is read like that HTTP status; undefined, like the reply's
 * own.
 */
export type FailureReader = (reply: {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}) =>
  | ErrorCode
  | number
  | {
      readonly code: ErrorCode
      readonly message?: string
      readonly retryAfterSeconds?: number
      /** The operator must fix something, although other requests may succeed. */
      readonly operatorAlert?: true
    }
  | undefined

/** What a vendor lets the operator still use. */
export interface VendorQuota {
  /** Null: without a limit. */
  readonly remaining: number | null
  readonly unit: 'credits' | 'USD'
  /** What there is after it was renewed, or what was allowed in total. */
  readonly limit?: number | null | undefined
  /** When it is renewed, as the vendor writes it. */
  readonly renewsAt?: string | null | undefined
}

export type QuotaReport =
  | (VendorQuota & { readonly askedAt: Date })
  /** Why it is not known, in a sentence. */
  | { readonly problem: string; readonly askedAt: Date }

export interface VendorQuotas {
  /** By the ids of the providers. Those whose vendors report nothing are left out. */
  read(): Promise<ReadonlyMap<string, QuotaReport>>
}

/** Where a vendor sells its API call by call, to wallets without an account. */
export interface PaidEndpoint {
  readonly baseUrl: string
  /** The payment rail that it sells by. */
  readonly rail: string
  /** Gives the paths that differ there, by their usual names. */
  readonly paths?: Readonly<Record<string, string>>
}

export interface Upstream {
  /** May have `{placeholders}` that requests fill. `<ID>_BASE_URL` overrides it. */
  readonly baseUrl: string
  readonly credential?: Credential
  /**
   * `grpc`: a request is the POST of one message, its `bytes`; the body of a reply is a list of messages, as Buffers.
   * Failures have the HTTP status that means the same. A paid endpoint speaks plain HTTP all the same.
   */
  readonly wire?: 'grpc'
  readonly headers?: Readonly<Record<string, string>>
  /** The server that refuses requests without the operator's contact. The warning about OPERATOR_CONTACT names it. */
  readonly contactRequiredBy?: string
  readonly timeoutMs?: number
  readonly responseBytesMax?: number
  /** Requests at the same time to one host. Default 32. More for providers that are waited for. */
  readonly connectionsMax?: number
  readonly pacing?: readonly PacingWindow[]
  /** Replaces `pacing` when a key is set. */
  readonly pacingWithKey?: readonly PacingWindow[]
  /**
   * The allowed values of `{host}` in the base URL. Absent: any single label of a host name. Requests may also go `at`
   * these hosts, and with `*.example.org` at all below it.
   */
  readonly hosts?: readonly string[]
  /**
   * Sells by payment, so that the operator's wallet takes the place of a key. `true`: it is paid for requests that an
   * action marks with `payUpToCents`. A paid endpoint: it is paid what it asks for, within the price of the call.
   * `elsewhere`: the same, but only at a server of `<ID>_BASE_URL` that answers as the provider itself does.
   */
  readonly wallet?: true | 'elsewhere' | PaidEndpoint
  /** Asks the vendor, free of charge, what is left on the operator's account. */
  readonly quota?: (http: Pick<ProviderHttp, 'get'>) => Promise<VendorQuota>
  /** Called for every reply, because some vendors report failures with status 200. */
  readonly failure?: FailureReader
  /** Whether a reply that is not a failure says that the operator must fix something. */
  readonly alertsOperator?: (reply: Parameters<FailureReader>[0]) => boolean
}

/** Answers the actions of one namespace. Without `upstream`, this machine does the work. */
export interface Provider {
  /** The namespace: the `{service}` of its paths. */
  readonly id: string
  readonly title: string
  /** The vendor's reference. */
  readonly docs?: string
  readonly upstream?: Upstream
  /** Namespaces whose actions its own actions call, by preference. Its mode is that of the first available one. */
  readonly through?: readonly string[]
  /** Stand-ins of this machine do not count for `through`. */
  readonly throughVendors?: true
  /** Its actions may run actions of any other provider. */
  readonly runsOthers?: true
  /**
   * The folder of the catalog whose tables define its actions. Absent: each action has a file in the provider's own
   * folder.
   */
  readonly tableFolder?: string
  readonly actions: readonly Action[]
}

export function defineProvider(provider: Provider): Provider {
  return provider
}

/**
 * `live`: its credential is set. `keyless`: a public API without one. `embedded`: served by this machine.
 * `unavailable`: not served by this gateway, for the reason given.
 */
export type ProviderMode = 'live' | 'keyless' | 'embedded' | 'unavailable'

/** The environment variables that may hold the provider's key, in order of preference. */
export function credentialNames(provider: Provider): readonly string[] {
  const credential = provider.upstream?.credential
  return credential ? [`${provider.id.toUpperCase()}_API_KEY`, ...(credential.aliases ?? [])] : []
}

/** The environment variable that overrides the provider's base URL. */
export function baseUrlName(provider: Provider): string {
  return `${provider.id.toUpperCase()}_BASE_URL`
}
