// /api/v1/admin/providers, /prices, /reading and /models: what is sold, and the health of its providers.
import type { FastifyInstance } from 'fastify'
import { type Catalog, describeCatalog } from '#core/catalog.ts'
import { describePrice } from '#core/price.ts'
import type { Models } from '#features/llm/routing/models.ts'
import type { Memory } from '#features/reading/ladder/memory.ts'
import type { Operations } from './operations.ts'

export interface CatalogRoutesDependencies {
  catalog: Catalog
  models: Models
  readingMemory: Memory
}

export function addAdminCatalogRoutes(
  admin: FastifyInstance,
  prefix: string,
  {
    catalog,
    models,
    readingMemory,
    operations,
  }: CatalogRoutesDependencies & { operations: Operations },
) {
  admin.get(`${prefix}/providers`, async () => ({ providers: describeProviders(catalog) }))
  admin.get(`${prefix}/prices`, async () => ({
    prices: catalog.entries.map(({ id, action }) => ({ id, ...describePrice(action.price) })),
  }))
  admin.get(`${prefix}/reading/hosts`, async () => ({ hosts: await readingMemory.recent() }))
  admin.post(`${prefix}/models/refresh`, async (request) => {
    await operations.announce(request, { action: 'models.refresh' })
    const problem = await models.refresh()
    const { version } = models.current()
    return { ok: problem === undefined, version, ...(problem === undefined ? {} : { problem }) }
  })
}

/** The services with their open circuit breakers, each of which suspends an address that failed too often. */
function describeProviders(catalog: Catalog) {
  const { services } = describeCatalog(catalog, [])
  return services.map((service, place) => ({
    ...service,
    circuits: (catalog.services[place]?.http.circuits() ?? []).map(({ retryAt, ...circuit }) => ({
      ...circuit,
      retry_at: retryAt,
    })),
  }))
}
