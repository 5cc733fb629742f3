import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { listPrice, recordFields, tellPaid } from '../lib/bought.ts'
import { recallObject } from './lib/recall-object.ts'
import { type SourceName, sources } from './lib/sources.ts'

const idShape = /^(cpsc:\d{1,9}|fda-(food|drug|device):[A-Z]-\d{1,6}-\d{4}|nhtsa:\d{2}[A-Z]\d{6})$/

export const get = defineAction('get', {
  summary: 'Get the record of one recall: products, hazard, remedy, numbers and where it was sold.',
  notes:
    'Takes the id of a result of ns_recalls/search: the agency and its own number. record holds the agency’s fields under their own names.',
  synonyms: ['recall record', 'recall details', 'remedy', 'affected units', 'campaign number'],
  questions: [
    'what should I do about recall nhtsa:20V314000?',
    'how many units does this recall cover?',
    'in which states was the recalled food sold?',
  ],
  pay: ['mpp'],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .regex(idShape, 'must be the id of a result of ns_recalls/search')
      .describe('Id of the recall: nhtsa:20V314000.'),
  }),
  output: recallObject.extend(recordFields),
  price: listPrice(2.5),
  example: { input: { id: 'nhtsa:20V314000' }, cents: 2.5 },
  run: tellPaid(async ({ input, http }) => {
    const [source = '', key = ''] = input.id.split(':')
    const [found] = await sources[source as SourceName].get(http, key)
    if (found === undefined)
      throw fail('not_found', {
        message: `There is no recall ${input.id}. Take the id from ns_recalls/search.`,
      })
    return { provider: 'CPSC, FDA and NHTSA', ...found }
  }),
})
