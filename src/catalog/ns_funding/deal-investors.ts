import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { meta, readCost, readMeta } from './lib/deal-object.ts'

export const dealInvestors = defineAction('deal-investors', {
  summary: 'Open one venture round: who led, which partners took part, and which angels.',
  notes:
    'Takes the id of a round from ns_funding/deals or ns_funding/investor-deals. For everything that one investor did use ns_funding/investor-deals; for its profile ns_enrich/company-funders.',
  synonyms: [
    'lead investor',
    'who invested',
    'who led the series',
    'cap table round',
    'angels of a round',
    'round participants',
    'fundable',
  ],
  questions: [
    'who led this funding round?',
    'which angels and partners were in the deal?',
    'list the investors of a round by its deal id',
  ],
  input: z.strictObject({ id: z.uuid().describe('Id of the round.') }),
  output: z.looseObject({
    investors: z.array(z.looseObject({ lead_investor: z.boolean().nullish() })),
    angels: z.array(z.looseObject({})).nullish(),
    meta,
  }),
  price: { cents: 10 },
  example: { input: { id: '550e8400-e29b-41d4-a716-446655440000' }, cents: 10 },
  costUsd: readCost,
  async run({ input, http }) {
    const { data, meta: about } = await http.get(path`/deals/${input.id}/investors`)
    return { ...data, meta: readMeta(about) }
  },
})
