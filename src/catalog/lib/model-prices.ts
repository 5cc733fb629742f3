import { type ModelPrices, readPriceFile } from '#core/model-price.ts'
import json from './model-prices.json' with { type: 'json' }

const { as_of, models } = readPriceFile(json)
const byModel = new Map(Object.entries(models))

/** The price map that ships with the gateway. `npm run prices` rewrites it. */
export const shippedPrices: ModelPrices = {
  version: () => as_of,
  find: (model) => byModel.get(model),
  entries: () => byModel,
}
