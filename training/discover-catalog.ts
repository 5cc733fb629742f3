// The catalog with every provider available, so that only texts decide the ranking.
import { providers } from '#catalog/providers.ts'
import { type Catalog, createCatalog } from '#core/catalog.ts'
import { credentialNames, defineProvider, type Provider } from '#core/provider.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { openOwnActions, ownNamespace } from '#test/own-actions.ts'
import { silentLog as log } from '#test/silent-log.ts'

/** A wallet that makes paid providers available and never pays. */
const wallet: UpstreamWallet = {
  unset: new Map(),
  protocols: ['x402', 'mpp'],
  close: async () => {},
  pay: () => Promise.reject(new Error('Nothing is bought here.')),
}

export function openWholeCatalog() {
  const opened: { catalog?: Catalog } = {}
  const own = openOwnActions(() => opened.catalog as Catalog)
  const gateway = defineProvider({
    id: ownNamespace,
    title: 'The gateway’s own actions',
    actions: own.actions,
  })
  const services = [gateway, ...own.services, ...providers].map((provider) =>
    createService(withAllActions(provider), {
      variables: new Map(credentialNames(provider).map((name) => [name, 'key:secret'])),
      userAgent: 'bench',
      clock,
      log,
      wallet,
    }),
  )
  opened.catalog = createCatalog(services)
  return {
    catalog: opened.catalog,
    async close() {
      await own.close()
      for (const service of services) await service.close()
    },
  }
}

/** Nothing is run, so it does not matter what an action lacks on this machine. */
const withAllActions = (provider: Provider): Provider => ({
  ...provider,
  actions: provider.actions.map(({ unavailable: _, ...action }) => action),
})
