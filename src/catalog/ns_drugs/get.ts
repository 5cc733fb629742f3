import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { listPrice, recordFields, tellPaid } from '../lib/bought.ts'
import { describeProduct, drugObject, findProducts, quoted } from './lib/product.ts'

export const get = defineAction('get', {
  summary:
    'Get the record of one medicine: ingredients, strengths, packages, marketing and classes.',
  notes:
    'Takes the id of a result of ns_drugs/search: ndc: and a product code. record holds the fields of the FDA’s directory under its own names. Not medical advice. For recalls use ns_recalls/search.',
  synonyms: ['drug record', 'drug details', 'package codes', 'strength', 'pharm class'],
  questions: [
    'in which packages is this drug sold?',
    'which class of medicine is ndc:0002-1433?',
    'since when is this product on the market?',
  ],
  pay: ['mpp'],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .regex(/^ndc:\d{4,5}-\d{3,4}$/, 'must be the id of a result of ns_drugs/search')
      .describe('Id of the record: ndc:0002-1433.'),
  }),
  output: drugObject.extend(recordFields),
  price: listPrice(2.5),
  example: { input: { id: 'ndc:0002-1433' }, cents: 2.5 },
  run: tellPaid(async ({ input, http }) => {
    const code = input.id.replace('ndc:', '')
    const { products } = await findProducts(http, `product_ndc:${quoted(code)}`, { limit: 1 })
    const [found] = products
    if (found === undefined)
      throw fail('not_found', {
        message: `The FDA’s directory has no product ${code}. Take the id from ns_drugs/search.`,
      })
    return { provider: 'openFDA', ...describeProduct(found), record: found }
  }),
})
