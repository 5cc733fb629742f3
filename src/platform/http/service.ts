import type { Service } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Clock, Log, ServiceHttp } from '#core/ports.ts'
import { baseUrlName, credentialNames, type Provider, type ProviderMode } from '#core/provider.ts'
import { createProviderHttp } from './provider-http.ts'

/** Decides how this gateway offers a provider, by what the operator has set. Throws when a base URL is none. */
export function createService(
  provider: Provider,
  options: {
    /** The operator's variables named `*_API_KEY` and `*_BASE_URL`. */
    readonly variables: ReadonlyMap<string, string>
    readonly userAgent: string
    readonly clock: Clock
    readonly log: Log
  },
): Service {
  const { variables, ...machine } = options
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
      closedHttp(() => new TypeError(`${provider.id} has no upstream that could be asked.`)),
    )
  }
  const names = credentialNames(provider)
  const key = names.map((name) => variables.get(name)).find((value) => value !== undefined)
  if (upstream.credential !== undefined && key === undefined && !upstream.credential.optional) {
    const [own, ...aliases] = names
    const others = aliases.length > 0 ? ` (or ${aliases.join(', ')})` : ''
    const reason = `Set ${own}${others} and restart.`
    const refuse = () =>
      fail('provider_not_configured', {
        message: `${provider.id} has no provider on this gateway. ${reason}`,
      })
    return { ...offer('unavailable', closedHttp(refuse)), reason }
  }
  const { close, ...http } = createProviderHttp({
    providerId: provider.id,
    upstream,
    baseUrl: readBaseUrl(provider, variables),
    key,
    ...machine,
  })
  return offer(key === undefined ? 'keyless' : 'live', http, close)
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
  const http = { send: refuse, get: refuse, post: refuse }
  return { ...http, withSignal: () => http }
}
