import { defineAction, z } from '#core/action.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { describeProduct, drugObject, findProducts } from './lib/product.ts'
import { queryFor } from './lib/query.ts'

/** openFDA does not skip more. */
const offsetMax = 25_000
const words = z.string().trim().min(2).max(200).optional()
const ndcShape = /^\d{4,5}-\d{3,4}(-\d{1,2})?$/

export const search = defineAction('search', {
  summary: 'Find medicines sold in the United States by name, ingredient or National Drug Code.',
  notes:
    'Looks for q in brand names, generic names and active ingredients; ndc takes a product code (0002-1433) or a package code (0002-1433-80); labeler, dosage_form and route narrow the list down. Go on with offset = next_offset. The id of a result is for ns_drugs/get. For recalls of medicines use ns_recalls/search, for studies of them ns_trials/search.',
  synonyms: [
    'medicine',
    'medication',
    'ndc lookup',
    'pharmaceutical',
    'prescription drug',
    'active ingredient',
    'fda',
    'manufacturer',
    'generic drug',
    'ingredients of a medicine',
  ],
  questions: [
    'which drug has the NDC 0002-1433?',
    'who makes generic atorvastatin?',
    'what is the active ingredient of Trulicity?',
  ],
  pay: ['mpp'],
  cacheSeconds: 86_400,
  input: z
    .strictObject({
      q: words.describe('Brand, generic name or ingredient.'),
      ndc: z
        .string()
        .trim()
        .regex(ndcShape, 'must be an NDC with its dashes, as in 0002-1433')
        .optional()
        .describe('National Drug Code of a product or package.'),
      labeler: words.describe('Company that sells it: Eli Lilly.'),
      dosage_form: words.describe('Form: TABLET, INJECTION.'),
      route: words.describe('Way of taking it: ORAL, TOPICAL.'),
      limit: z.int().min(1).max(100).default(20).describe('Products to return, at most 100.'),
      offset: z.int().min(0).max(offsetMax).default(0).describe('Products to skip.'),
    })
    .refine(({ q, ndc, labeler }) => [q, ndc, labeler].some((sent) => sent !== undefined), {
      message: 'Send q, ndc or labeler',
    }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int().describe('Products that match.'),
    next_offset: z.int().nullable().describe('The offset of the next page; null on the last.'),
    results: z.array(drugObject),
  }),
  price: listPrice(10),
  example: { input: { ndc: '0002-1433' }, cents: 10 },
  takes: { NDC: { fills: (ndc) => ({ ndc }) } },
  run: tellPaid(async ({ input, http }) => {
    const { limit, offset } = input
    const { total, products } = await findProducts(http, queryFor(input), { limit, offset })
    const next = offset + products.length
    return {
      provider: 'openFDA',
      total,
      next_offset: products.length > 0 && next < total && next <= offsetMax ? next : null,
      results: products.map(describeProduct),
    }
  }),
})
