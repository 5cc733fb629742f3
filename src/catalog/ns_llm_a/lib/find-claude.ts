import { fail } from '#core/errors.ts'
import type { ModelPrices } from '#core/model-price.ts'
import type { ModelOffer } from '#core/model-router.ts'

/** The vendor writes `claude-haiku-4-5` or `claude-haiku-4-5-20251001` for `anthropic/claude-haiku-4.5`. */
export function findClaude(prices: ModelPrices, model: string): ModelOffer {
  const bare = model.replace(/-\d{8}$/, '')
  for (const [slug, price] of prices.entries())
    if (slug.startsWith('anthropic/') && slug.slice(10).replaceAll('.', '-') === bare)
      return { model: slug, price }
  throw fail('bad_request', { message: 'model: There is no such model with a price here.' })
}
