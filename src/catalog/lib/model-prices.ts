import type { ModelPrices, PriceFile } from '#core/model-price.ts'
import json from './model-prices.json' with { type: 'json' }

/** A test checks the file, which a start does not: that takes a tenth of a second. */
const { as_of, models } = json as unknown as PriceFile
const byModel = new Map(Object.entries(models))

/** The price map that ships with the gateway. `npm run prices` rewrites it. */
export const shippedPrices: ModelPrices = {
  version: () => as_of,
  find: (model) => byModel.get(model),
  entries: () => byModel,
}
