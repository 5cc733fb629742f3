import type { Action } from './action.ts'
import type { ErrorCode } from './errors.ts'

/** At most `requests` in any window of `windowMs`; several windows may hold at once. */
export interface PacingWindow {
  readonly requests: number
  readonly windowMs: number
  /** Counts the requests to this one of the provider's hosts. Absent: those to all of them together. */
  readonly host?: string
}

export interface Credential {
  /** Environment variables besides `<ID>_API_KEY` that hold the key, as the vendor's users call them. */
  readonly aliases?: readonly string[]
  /** How a key of several parts is written in its one variable: `key:secret`. */
  readonly form?: string
  /** The provider also answers without a key. */
  readonly optional?: true
  /** People run the vendor's server themselves: one at `<ID>_BASE_URL` is asked without a key where none is set. */
  readonly optionalElsewhere?: true
  /** Where the key goes in a request. */
  readonly attach: (key: string) => {
    readonly headers?: Record<string, string>
    readonly query?: Record<string, string>
    /** Fields that join those of a JSON body. */
    readonly body?: Record<string, string>
  }
}

/** What the provider's own words for a failure mean to our caller; a number is read as that HTTP status would be. */
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
      /** The operator has something to mend, though other requests may well be answered. */
      readonly operatorAlert?: true
    }
  | undefined

/** Where a vendor sells its API call by call, to wallets without an account. */
export interface PaidEndpoint {
  readonly baseUrl: string
  /** The payment rail that it sells by. */
  readonly rail: string
  /** What it calls the paths that have other names there. */
  readonly paths?: Readonly<Record<string, string>>
}

export interface Upstream {
  /** May hold `{placeholders}` that requests fill. `<ID>_BASE_URL` overrides it. */
  readonly baseUrl: string
  readonly credential?: Credential
  readonly headers?: Readonly<Record<string, string>>
  /** Refuses requests whose User-Agent names no operator: the server's name, for the warning about OPERATOR_CONTACT. */
  readonly contactRequiredBy?: string
  readonly timeoutMs?: number
  readonly responseBytesMax?: number
  readonly pacing?: readonly PacingWindow[]
  /** The windows that hold with a key, where they are others than without. */
  readonly pacingWithKey?: readonly PacingWindow[]
  /** The hosts that a `{host}` of the base URL may stand for. Absent: any one label of a host name. */
  readonly hosts?: readonly string[]
  /**
   * Sells by payment, so that the operator's wallet takes the place of a key. `true`: it is paid for requests that an action
   * marks with `payUpToCents`. A paid endpoint: it is paid what it asks for, within the price of the call. `elsewhere`: the
   * same, but only at a server of `<ID>_BASE_URL` that answers as the provider itself does.
   */
  readonly wallet?: true | 'elsewhere' | PaidEndpoint
  /** Read for every reply, also those with status 200: some vendors report failure there. */
  readonly failure?: FailureReader
}

/** Those who answer a namespace's actions. Without `upstream`, this machine does. */
export interface Provider {
  /** The namespace: the `{service}` of its paths. */
  readonly id: string
  readonly title: string
  /** The vendor's reference. */
  readonly docs?: string
  readonly upstream?: Upstream
  /** Namespaces whose actions its own actions call, by preference. It is offered as the first available one is. */
  readonly through?: readonly string[]
  /** Its actions are rows of a table in this folder of the catalog, instead of files in one of its own. */
  readonly tableFolder?: string
  readonly actions: readonly Action[]
}

export function defineProvider(provider: Provider): Provider {
  return provider
}

/**
 * `live`: credential set. `keyless`: a public API that needs none. `embedded`: served by this machine.
 * `unavailable`: not on this gateway, for the reason given.
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
