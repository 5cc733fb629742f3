// The services of the catalog, which change while the gateway runs: the operator sells other APIs, pastes a vendor's
// key, or a budget is used up.
import type { Service } from '#core/catalog.ts'
import type { Clock, Log, OnReply } from '#core/ports.ts'
import { credentialNames, type Provider } from '#core/provider.ts'
import type { ProviderBudgets } from '#runner/providers/budgets.ts'
import type { ProviderKeys } from '#runner/providers/provider-keys.ts'

/** Calls that began with a service end with it. No call takes longer. */
const closeAfterMs = 900_000

/** A provider, and what its service is opened with besides the operator's variables. */
export interface LiveOffer {
  readonly provider: Provider
  /** Another text whenever the service must be opened anew. */
  readonly version: string
  /**
   * `variables` are those of the environment, and the key that the operator has pasted. With `onReply` it is a client
   * apart, which shares with that of calls only the pace of requests.
   */
  readonly open: (variables: ReadonlyMap<string, string>, onReply?: OnReply) => Service
  /** Its connection is that of calls, and is not opened apart. */
  readonly isShared?: true
}

interface Opened {
  readonly version: string
  readonly key: string | undefined
  readonly service: Service
}

export function createLiveServices({
  variables,
  keys,
  budgets,
  clock,
  log,
}: {
  readonly variables: ReadonlyMap<string, string>
  readonly keys: Pick<ProviderKeys, 'current' | 'unreadable'>
  readonly budgets: Pick<ProviderBudgets, 'stopped'>
  readonly clock: Clock
  readonly log: Log
}) {
  const opened = new Map<string, Opened>()
  let offered: readonly LiveOffer[] = []
  const closing = new AbortController()
  const ending = new Set<Promise<void>>()

  /** Undefined where the environment has the key, or the operator has pasted none. */
  function pastedKey(provider: Provider): string | undefined {
    return credentialNames(provider).some((name) => variables.has(name))
      ? undefined
      : keys.current().get(provider.id)
  }

  function closeLater({ close }: Service) {
    const end = clock
      .sleep(closeAfterMs, closing.signal)
      .catch(() => {})
      .then(close)
      .catch((error) => log.warn({ err: error }, 'A replaced service was not closed.'))
      .finally(() => ending.delete(end))
    ending.add(end)
  }

  function variablesOf(provider: Provider): ReadonlyMap<string, string> {
    const key = pastedKey(provider)
    const [name] = credentialNames(provider)
    return key === undefined || name === undefined
      ? variables
      : new Map([...variables, [name, key]])
  }

  function openOne({ provider, version, open }: LiveOffer): Service {
    const key = pastedKey(provider)
    const known = opened.get(provider.id)
    if (known !== undefined && known.version === version && known.key === key) return known.service
    const service = open(variablesOf(provider))
    opened.set(provider.id, { version, key, service })
    if (known !== undefined) closeLater(known.service)
    return service
  }

  /** For today or for lack of its key, none of its actions is sold. */
  function withoutOffer(service: Service): Service {
    const { id } = service.provider
    const reason =
      budgets.stopped().get(id) ??
      (service.mode === 'unavailable' && keys.unreadable().has(id)
        ? 'Its stored key cannot be opened. The operator sets PROVIDER_SEALING_KEY as it was, or pastes the key again.'
        : undefined)
    return reason === undefined ? service : { ...service, mode: 'unavailable', reason }
  }

  return {
    /** The services of these offers. Those that are not among them any more are closed. */
    open(offers: readonly LiveOffer[]): readonly Service[] {
      offered = offers
      const ids = new Set(offers.map(({ provider }) => provider.id))
      for (const [id, { service }] of opened)
        if (!ids.has(id)) {
          opened.delete(id)
          closeLater(service)
        }
      return offers.map((offer) => withoutOffer(openOne(offer)))
    },
    /** A service of the provider with another key, to be closed by the caller. */
    openWithKey(id: string, key: string): Service | undefined {
      const offer = offered.find(({ provider }) => provider.id === id)
      const [name] = offer === undefined ? [] : credentialNames(offer.provider)
      return name === undefined ? undefined : offer?.open(new Map([...variables, [name, key]]))
    },
    /** As the settings and keys have them, also where a budget is used up. */
    list: (): readonly Service[] =>
      offered.flatMap(({ provider }) => opened.get(provider.id)?.service ?? []),
    /** For one check, to be closed by the caller. Throws for a provider that is not offered. */
    openApart(id: string, onReply: OnReply): Service {
      const offer = offered.find(({ provider }) => provider.id === id)
      const known = opened.get(id)
      if (offer === undefined || known === undefined) throw new Error(`${id} is not offered.`)
      return offer.isShared
        ? { ...known.service, close: async () => {} }
        : offer.open(variablesOf(offer.provider), onReply)
    },
    /** The setting of the environment that has its key. */
    settingOf: (provider: Provider) =>
      credentialNames(provider).find((name) => variables.has(name)),
    async close() {
      closing.abort()
      await Promise.all(ending)
      await Promise.all([...opened.values()].map(({ service }) => service.close()))
    },
  }
}
