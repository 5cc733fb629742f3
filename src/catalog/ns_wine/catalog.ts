import { defineAction, z } from '#core/action.ts'
import { browse, browsing } from '../lib/storefront.ts'

export const catalog = defineAction('catalog', {
  summary: 'Browse the wines of an estate: vintages, prices and stock.',
  notes:
    'Free. With slug one wine in full. The id of a product is for ns_wine/purchase, which delivers within the US.',
  synonyms: ['wine list', 'buy wine', 'winery', 'cabernet', 'bottle price', 'vintage'],
  questions: [
    'which wines can I buy?',
    'what does the 2019 cabernet cost?',
    'is there a wine for a gift under $100?',
  ],
  keyless: true,
  input: browsing,
  output: z.looseObject({
    provider: z.string(),
    products: z.array(
      z.looseObject({
        id: z.union([z.string(), z.number()]).describe('For ns_wine/purchase.'),
        name: z.string(),
        price_cents: z.int().nullish(),
        in_stock: z.boolean().nullish(),
      }),
    ),
  }),
  price: 'free',
  example: { input: {}, cents: 0 },
  run: async ({ input, http }) => ({
    provider: 'Martin Estate',
    products: await browse(http, input),
  }),
})
