// GET /api/catalog: the models that make media, with what they take and cost.
import type { FastifyInstance } from 'fastify'
import type { Catalog, CatalogEntry } from '#core/catalog.ts'
import type { MediaModel, MediaModels } from '#core/media-model.ts'

const action = 'ns_media/generate'
const jobsNeedKey = 'The operator’s wallet buys only what is answered at once.'

export function addMediaCatalogRoute(
  server: FastifyInstance,
  { catalog, models }: { catalog: Catalog; models: MediaModels },
) {
  server.get('/api/catalog', async () => {
    const entry = catalog.entries.find(({ id }) => id === action)
    return {
      endpoint: `POST /api/run/${action}`,
      models: [...models.values()].map((model) => describe(model, entry)),
      total: models.size,
    }
  })
}

function describe(model: MediaModel, entry: CatalogEntry | undefined) {
  const { key, type, title, provider, mode, parameters, price, example, source, date } = model
  const reason = unavailability(model, entry)
  return {
    model: key,
    type,
    title,
    provider,
    available: reason === undefined,
    ...(reason !== undefined && { reason }),
    async: mode === 'job',
    parameters,
    price,
    example: { model: key, ...example },
    source,
    as_of: date,
  }
}

/** Why this gateway cannot run the model. */
function unavailability({ provider, mode }: MediaModel, entry: CatalogEntry | undefined) {
  if (entry === undefined) return 'This gateway does not sell it.'
  if (entry.mode === 'unavailable') return entry.reason
  if (entry.service.buys && provider === 'vendor' && mode === 'job') return jobsNeedKey
  return provider === 'vendor' && entry.mode === 'embedded'
    ? (entry.service.reason ?? 'The vendor’s key is missing.')
    : undefined
}
