import type { Action } from './action.ts'
import type { ErrorCode } from './errors.ts'

/** At most `requests` in any window of `windowMs`; several windows may hold at once. */
export interface CourtesyWindow {
  readonly requests: number
  readonly windowMs: number
}

export interface Credential {
  /** Environment variables besides `<ID>_API_KEY` that hold the key, as the vendor's users call them. */
  readonly aliases?: readonly string[]
  /** The provider also answers without a key. */
  readonly optional?: true
  /** Where the key goes in a request. */
  readonly attach: (key: string) => {
    readonly headers?: Record<string, string>
    readonly query?: Record<string, string>
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
  | { readonly code: ErrorCode; readonly message?: string; readonly retryAfterSeconds?: number }
  | undefined

export interface Upstream {
  /** May hold `{placeholders}` that requests fill. `<ID>_BASE_URL` overrides it. */
  readonly baseUrl: string
  readonly credential?: Credential
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly responseBytesMax?: number
  readonly courtesy?: readonly CourtesyWindow[]
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
