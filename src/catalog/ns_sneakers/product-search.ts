import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { limit, page, productObject } from './lib/product-object.ts'

export const productSearch = defineAction('product-search', {
  summary: 'Search sneakers and streetwear on one resale marketplace.',
  notes:
    'Prices are those of the marketplace, so compare several. The id is for ns_sneakers/product-detail on stockx, goat, shopify and kream, and for ns_sneakers/sales-history on stockx and goat.',
  synonyms: [
    'sneaker search',
    'stockx',
    'goat',
    'resale price',
    'streetwear',
    'shoes',
    'jordans',
    'trainers',
    'nike',
    'yeezy',
    'what shoes are worth',
  ],
  questions: [
    'what do Jordan 1 Chicago sell for?',
    'is this dunk on GOAT?',
    'find New Balance 550 on kream',
  ],
  cacheSeconds: 900,
  input: z.strictObject({
    marketplace: z
      .enum(['stockx', 'goat', 'shopify', 'snkrs', 'kream', 'novelship'])
      .describe('Where to search.'),
    query: z.string().trim().min(1).max(200).describe('Name, SKU or brand.'),
    limit,
    page,
  }),
  output: z.looseObject({ products: z.array(productObject), meta: z.looseObject({}).nullable() }),
  price: { cents: 0.05 },
  example: { input: { marketplace: 'stockx', query: 'Jordan 1 Chicago', limit: 1 }, cents: 0.05 },
  async run({ input, http }) {
    const { marketplace, ...query } = input
    const { data, meta } = await http.get(path`/${marketplace}/products`, { query })
    return { products: data, meta: meta ?? null }
  },
})
