// GET /api/catalog: the models that make media, with what they take and cost.
import type { FastifyInstance } from 'fastify'
import type { Catalog, CatalogEntry } from '#core/catalog.ts'
import { type MediaModel, type MediaModels, mediaTypes } from '#core/media-model.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, integer, list, object, text } from '../../doors/shapes.ts'

const action = 'ns_media/generate'
const jobsNeedKey = 'The operator’s wallet buys only what is answered at once.'

export const listMediaModels = defineRoute({
  method: 'get',
  path: '/api/catalog',
  summary:
    'List the models of ns_media/generate with their parameters, prices and, where this gateway cannot run one, the reason.',
  answer: object({
    endpoint: text,
    models: list(
      object({
        model: text,
        type: { enum: mediaTypes },
        title: text,
        provider: { enum: ['vendor', 'embedded'] },
        available: { type: 'boolean' },
        async: { type: 'boolean' },
        parameters: anyObject,
        price: anyObject,
        example: anyObject,
        source: text,
        as_of: text,
      }),
    ),
    total: integer,
  }),
})

export function addMediaCatalogRoute(
  server: FastifyInstance,
  { catalog, models }: { catalog: Catalog; models: MediaModels },
) {
  addRoute(server, listMediaModels, () => {
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
