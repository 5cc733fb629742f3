import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { productId, productObject } from './lib/product-object.ts'

export const productDetail = defineAction('product-detail', {
  summary: 'Get one sneaker of a marketplace with its sizes and prices.',
  notes:
    'The id comes from ns_sneakers/product-search on the same marketplace. For what it sold for, sale by sale, use ns_sneakers/sales-history.',
  synonyms: ['sneaker details', 'sizes', 'lowest ask', 'retail price', 'release date'],
  questions: [
    'what is the lowest ask in size 10?',
    'when was this shoe released?',
    'which sizes are left?',
  ],
  cacheSeconds: 900,
  input: z.strictObject({
    marketplace: z.enum(['stockx', 'goat', 'shopify', 'kream']).describe('Where the product is.'),
    id: productId,
  }),
  output: z.looseObject({
    product: productObject,
    meta: z.looseObject({}).nullable(),
    ...boughtFor,
  }),
  price: listPrice(1),
  example: {
    input: { marketplace: 'stockx', id: 'air-jordan-1-retro-high-chicago-2015' },
    cents: 1,
  },
  run: tellPaid(async ({ input, http }) => {
    const { marketplace, id } = input
    const missing = explain(
      'not_found',
      `${marketplace} has no product ${id}. Take the id from ns_sneakers/product-search.`,
    )
    const { data, meta } = await http.get(path`/${marketplace}/products/${id}`).catch(missing)
    return { product: data, meta: meta ?? null }
  }),
})
