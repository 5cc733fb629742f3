import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { limit, page, productId } from './lib/product-object.ts'

export const salesHistory = defineAction('sales-history', {
  summary: 'List what a sneaker was sold for on StockX or GOAT, sale by sale.',
  notes:
    'The id comes from ns_sneakers/product-search on the same marketplace. For today’s asks use ns_sneakers/product-detail.',
  synonyms: ['sold prices', 'past sales', 'price history', 'last sale', 'resale value'],
  questions: [
    'what did this shoe sell for last month?',
    'is its price going up?',
    'what was the last sale in size 9?',
  ],
  cacheSeconds: 900,
  input: z.strictObject({
    marketplace: z.enum(['stockx', 'goat']).describe('Where it was sold.'),
    id: productId,
    limit,
    page,
  }),
  output: z.looseObject({
    sales: z.array(z.looseObject({})),
    meta: z.looseObject({}).nullable(),
    ...boughtFor,
  }),
  price: listPrice(1),
  example: {
    input: { marketplace: 'stockx', id: 'air-jordan-1-retro-high-chicago-2015', limit: 1 },
    cents: 1,
  },
  run: tellPaid(async ({ input, http }) => {
    const { marketplace, id, ...query } = input
    const missing = explain(
      'not_found',
      `${marketplace} has no product ${id}. Take the id from ns_sneakers/product-search.`,
    )
    const { data, meta } = await http
      .get(path`/${marketplace}/products/${id}/sales`, { query })
      .catch(missing)
    return { sales: data, meta: meta ?? null }
  }),
})
