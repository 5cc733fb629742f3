import { defineAction, z } from '#core/action.ts'
import { boughtFor, listPrice, tellPaid } from '../bought.ts'
import { describeProduct, drugObject, findProducts, quoted } from './product.ts'

const ndcShape = /^\d{4,5}-\d{3,4}(-\d{1,2})?$/

export const search = defineAction('search', {
  summary: 'Find medicines sold in the United States by name, ingredient or National Drug Code.',
  notes:
    'Looks for q in brand names, generic names and active ingredients; ndc takes a product code (0002-1433) or a package code (0002-1433-80). The id of a result is for ns_drugs/get. For recalls of medicines use ns_recalls/search, for studies of them ns_trials/search.',
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
      q: z
        .string()
        .trim()
        .min(2)
        .max(200)
        .optional()
        .describe('Brand, generic name or ingredient.'),
      ndc: z
        .string()
        .trim()
        .regex(ndcShape, 'must be an NDC with its dashes, as in 0002-1433')
        .optional()
        .describe('National Drug Code of a product or package.'),
      limit: z.int().min(1).max(100).default(20).describe('Products to return, at most 100.'),
    })
    .refine(({ q, ndc }) => q !== undefined || ndc !== undefined, { message: 'Send q or ndc' }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int(),
    results: z.array(drugObject),
  }),
  price: listPrice(10),
  example: { input: { ndc: '0002-1433' }, cents: 10 },
  run: tellPaid(async ({ input, http }) => {
    const { q, ndc } = input
    // Terms side by side are alternatives.
    const byName =
      q &&
      ['brand_name', 'generic_name', 'active_ingredients.name']
        .map((field) => `${field}:${quoted(q)}`)
        .join(' ')
    const byCode =
      ndc &&
      `${ndc.split('-').length === 3 ? 'packaging.package_ndc' : 'product_ndc'}:${quoted(ndc)}`
    const terms = [byName && `(${byName})`, byCode].filter(Boolean)
    const { total, products } = await findProducts(http, terms.join(' AND '), input.limit)
    return { provider: 'openFDA', total, results: products.map(describeProduct) }
  }),
})
