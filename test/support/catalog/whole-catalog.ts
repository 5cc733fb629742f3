// The whole catalog without a gateway, for programs and tests that read what actions declare. It makes no connections.
import { providers } from '#catalog/providers.ts'
import { type Catalog, createCatalog } from '#core/catalog.ts'
import { defineProvider } from '#core/provider.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { openOwnActions, ownNamespace } from '../own-actions.ts'
import { silentLog as log } from '../silent-log.ts'

/** Without `variables`, the catalog of a gateway without any configuration. */
export async function withWholeCatalog<Result>(
  work: (catalog: Catalog) => Result | Promise<Result>,
  variables: ReadonlyMap<string, string> = new Map(),
): Promise<Result> {
  const gateway = openOwnActions()
  const own = defineProvider({
    id: ownNamespace,
    title: 'The gateway’s own actions',
    actions: gateway.actions,
  })
  const services = [own, ...gateway.services, ...providers].map((provider) =>
    createService(provider, { variables, userAgent: 'generate', clock, log }),
  )
  try {
    return await work(createCatalog(services, gateway.standIns))
  } finally {
    await gateway.close()
    for (const service of services) await service.close()
  }
}
