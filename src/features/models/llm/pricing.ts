import { type ModelPrice, rateToUsdPerMillion } from '#core/model-price.ts'
import type { ModelCatalog } from './routing/models.ts'

/** The answer of `GET /api/llm/v1/pricing`. Dollars per million tokens, as numbers. */
export function describePricing(offer: ModelCatalog, ownNamespace: string): object {
  return {
    currency: 'USD',
    unit: 'million tokens',
    version: offer.version,
    tiers: Object.entries(offer.tiers).map(([tier, members]) => ({
      id: `${ownNamespace}/${tier}`,
      models: members.map((slug) => ({ id: slug, available: offer.routes(slug).length > 0 })),
    })),
    models: [...offer.prices].map(([slug, price]) => ({
      id: slug,
      ...describeRates(price),
      ...(price.long_context === undefined
        ? {}
        : {
            long_context: price.long_context.map(({ above, ...rates }) => ({
              above_prompt_tokens: above,
              ...describeRates(rates),
            })),
          }),
      context_length: price.context ?? null,
      available: offer.routes(slug).length > 0,
    })),
  }
}

function describeRates(
  rates: Pick<ModelPrice, 'prompt' | 'completion' | 'cache_read' | 'cache_write'>,
) {
  const shown = (rate: number | undefined) =>
    rate === undefined ? undefined : Number(rateToUsdPerMillion(rate))
  return {
    prompt: shown(rates.prompt),
    completion: shown(rates.completion),
    cache_read: shown(rates.cache_read),
    cache_write: shown(rates.cache_write),
  }
}

/** The answer of `GET /api/llm/v1/models`: the models that can be called now, in the common format. */
export function describeModels(offer: ModelCatalog, ownNamespace: string): { id: string }[] {
  const row = (id: string, owner: string, context: number | undefined) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: owner,
    ...(context === undefined ? {} : { context_length: context }),
  })
  const tiers = Object.entries(offer.tiers)
    .filter(([, members]) => members.some((slug) => offer.routes(slug).length > 0))
    .map(([tier]) => row(`${ownNamespace}/${tier}`, ownNamespace, undefined))
  const models = [...offer.prices]
    .filter(([slug]) => offer.routes(slug).length > 0)
    .map(([slug, { context }]) => row(slug, slug.split('/')[0] ?? slug, context))
  return [...tiers, ...models]
}
