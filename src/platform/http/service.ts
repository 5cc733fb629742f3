import type { Agent } from 'undici'
import type { Service } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Clock, Log, OnReply, ServiceHttp } from '#core/ports.ts'
import {
  baseUrlName,
  credentialNames,
  type PaidEndpoint,
  type Provider,
  type ProviderMode,
} from '#core/provider.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { Pacers } from './pacing.ts'
import { createProviderHttp } from './provider-http.ts'
import type { UpstreamWallet } from './upstream-wallet.ts'

/** The variable with the key of the operator's wallet, which pays upstreams for single requests. */
const walletKeyName = 'UPSTREAM_WALLET_KEY'

/** Decides from the operator's settings how this gateway offers a provider. Throws if a base URL is invalid. */
export function createService(
  provider: Provider,
  dependencies: {
    /** The operator's variables named `*_API_KEY` and `*_BASE_URL`. */
    readonly variables: ReadonlyMap<string, string>
    readonly userAgent: string
    readonly clock: Clock
    readonly log: Log
    readonly telemetry?: Telemetry | undefined
    readonly pacers?: Pacers
    /** What all gateways of the database know of the provider. */
    readonly shared?: Pick<SharedState, 'turns' | 'records'>
    /** Pays upstreams for single requests. */
    readonly wallet?: UpstreamWallet
    /** Throws CallError `bad_url` for an address that must not be opened from within the operator's network. */
    readonly admitAddress?: (address: string) => Promise<void>
    /** Opens the connections, and is closed with the service. Default: an agent of the service alone. */
    readonly agent?: Agent
    readonly onReply?: OnReply | undefined
  },
): Service {
  const { variables, admitAddress, ...machine } = dependencies
  const { upstream } = provider
  const offer = (mode: ProviderMode, http: ServiceHttp, close = async () => {}): Service => ({
    provider,
    mode,
    http,
    close,
  })
  if (upstream === undefined) {
    return offer(
      'embedded',
      closedHttp(() => new TypeError(`${provider.id} has no upstream to send requests to.`)),
    )
  }
  const names = credentialNames(provider)
  const key = names.map((name) => variables.get(name)).find((value) => value !== undefined)
  const baseUrl = readBaseUrl(provider, variables)
  const paidEndpoint = typeof upstream.wallet === 'object' ? upstream.wallet : undefined
  const paysByWallet =
    key === undefined &&
    (upstream.wallet === 'elsewhere' ? baseUrl !== undefined : upstream.wallet !== undefined) &&
    machine.wallet !== undefined &&
    (paidEndpoint === undefined || machine.wallet.protocols.includes(paidEndpoint.rail))
  const reason =
    key === undefined && !paysByWallet
      ? whatIsMissing(provider, baseUrl, machine.wallet)
      : undefined
  if (reason !== undefined && !provider.actions.some((action) => action.keyless)) {
    const refuse = () =>
      fail('provider_not_configured', {
        message: `${provider.id} has no provider on this gateway. ${reason}`,
      })
    return { ...offer('unavailable', closedHttp(refuse)), reason }
  }
  const { close, ...http } = createProviderHttp({
    providerId: provider.id,
    upstream,
    baseUrl: baseUrl ?? (paysByWallet ? paidEndpoint?.baseUrl : undefined),
    key,
    ...machine,
    // A server that the operator runs is inside the operator's network.
    admitAddress:
      upstream.credential?.optionalElsewhere && baseUrl !== undefined ? admitAddress : undefined,
    ...(paysByWallet && {
      allForSale: upstream.wallet !== true,
      atPaidEndpoint: paidEndpoint !== undefined,
      paths: paidEndpoint?.paths,
    }),
  })
  // The catalog offers those of its actions that need no credential.
  if (reason !== undefined) return { ...offer('unavailable', http, close), reason }
  if (paysByWallet) return { ...offer('live', http, close), buys: true }
  return offer(key === undefined ? 'keyless' : 'live', http, close)
}

/** What the operator must set before the provider's actions can be sold; undefined if nothing is missing. */
function whatIsMissing(
  provider: Provider,
  baseUrl: string | undefined,
  wallet: UpstreamWallet | undefined,
): string | undefined {
  const { credential, wallet: sells } = provider.upstream ?? {}
  const forSale = sells !== undefined && sells !== 'elsewhere'
  if (credential === undefined && !forSale) return undefined
  if (credential?.optional || (credential?.optionalElsewhere && baseUrl !== undefined))
    return undefined
  const [own, ...aliases] = credentialNames(provider)
  const others = aliases.length > 0 ? ` (or ${aliases.join(', ')})` : ''
  const form = credential?.form === undefined ? '' : ` to ${credential.form}`
  const ways = [
    ...(own === undefined ? [] : [`${own}${others}${form}`]),
    ...(forSale ? walletSettings(sells, wallet) : []),
  ]
  const pasted = own === undefined ? '' : ', or paste the key on the page Providers of the console'
  return `Set ${ways.join(' or ')} and restart${pasted}.`
}

/** What the operator must set before the wallet can pay this seller. */
function walletSettings(
  sells: true | PaidEndpoint,
  wallet: UpstreamWallet | undefined,
): readonly string[] {
  if (wallet === undefined) return [walletKeyName]
  return sells === true ? [] : (wallet.unset.get(sells.rail) ?? [])
}

function readBaseUrl(
  provider: Provider,
  variables: ReadonlyMap<string, string>,
): string | undefined {
  const name = baseUrlName(provider)
  const value = variables.get(name)
  if (value === undefined) return undefined
  const protocol = URL.parse(value.replaceAll(/[{}]/g, ''))?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Error(`${name} must be an http or https address.`)
  }
  return value
}

/** A client that refuses every request. */
function closedHttp(refusal: () => Error): ServiceHttp {
  const refuse = async () => {
    throw refusal()
  }
  const sign = () => {
    throw refusal()
  }
  const http = { send: refuse, get: refuse, post: refuse, sign }
  return { ...http, withSignal: () => http, circuits: () => [], redact: (text) => text }
}
