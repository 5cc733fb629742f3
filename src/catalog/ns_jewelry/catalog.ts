import { defineAction, z } from '#core/action.ts'
import { browse, browsing } from '../lib/storefront.ts'

export const catalog = defineAction('catalog', {
  summary: 'Browse jewelry with its metals, lengths and prices.',
  notes:
    'Free. With slug one piece in full, its variants with their sku included, which ns_jewelry/purchase takes.',
  synonyms: [
    'jewellery',
    'necklace',
    'ring',
    'bracelet',
    'gift',
    'gold chain',
    'necklaces',
    'earrings',
  ],
  questions: [
    'which necklaces are there?',
    'what does it cost in gold?',
    'find a birthday present under $200',
  ],
  keyless: true,
  input: browsing,
  output: z.looseObject({
    provider: z.string(),
    products: z.array(z.looseObject({ name: z.string(), slug: z.string().nullish() })),
  }),
  price: 'free',
  example: { input: {}, cents: 0 },
  run: async ({ input, http }) => ({
    provider: 'Sayer & Stone',
    products: await browse(http, input),
  }),
})
