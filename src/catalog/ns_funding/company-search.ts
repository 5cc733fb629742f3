import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne, name } from '../lib/person-fields.ts'
import { meta, readCost, readMeta } from './lib/deal-object.ts'

const identifiers = ['name', 'domain', 'linkedin', 'crunchbase'] as const

export const companySearch = defineAction('company-search', {
  summary: 'Find the id of a startup by name, domain, LinkedIn or Crunchbase address.',
  notes:
    'For the identifiers of ns_funding/deals. For SEC registrants use ns_filings/entities; to resolve many companies at once ns_company/lookup-companies.',
  synonyms: ['company id lookup', 'name to id', 'resolve company', 'startup lookup', 'fundable'],
  questions: [
    'what is the company id of Stripe?',
    'find a startup by name to look up its rounds',
    'resolve this domain to a company record',
  ],
  input: z
    .strictObject({
      name: name.optional().describe('Name of the company.'),
      domain: domainName.optional().describe('Its domain.'),
      linkedin: z.url().max(2_048).optional().describe('Its LinkedIn address.'),
      crunchbase: z.url().max(2_048).optional().describe('Its Crunchbase address.'),
    })
    .refine(exactlyOne(...identifiers), {
      message: `Send exactly one of ${identifiers.join(', ')}`,
    }),
  output: z.looseObject({
    companies: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })),
    meta,
  }),
  price: { cents: 1 },
  example: { input: { name: 'Example' }, cents: 1 },
  costUsd: readCost,
  async run({ input, http }) {
    const { data, meta: about } = await http.get('/company/search', { query: input })
    return { companies: data.companies, meta: readMeta(about) }
  },
})
