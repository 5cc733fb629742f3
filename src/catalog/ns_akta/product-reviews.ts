import { defineAction, z } from '#core/action.ts'
import { perTen, readCost, readRows, recordFields, rows } from './lib/company-rows.ts'

export const productReviews = defineAction('product-reviews', {
  summary: 'Read what customers say about the products of a company.',
  notes:
    'Each ten records returned cost. For what employees say use ns_akta/employee-reviews. Needs a subscription of the operator at the vendor.',
  synonyms: ['g2 reviews', 'customer reviews', 'software ratings', 'product feedback', 'akta'],
  questions: [
    'what do customers complain about in this product?',
    'reviews of the software of acme.com',
    'how is this tool rated by its users?',
  ],
  input: z.strictObject({
    ...recordFields,
    products: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Names of products, with commas.'),
  }),
  output: rows,
  price: perTen(16, 'ten records'),
  example: { input: { company: 'tesla' }, cents: 16 },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/product-reviews/', input),
})
