import { defineAction, z } from '#core/action.ts'
import { atLeastOne, domainName, name } from '../lib/person-fields.ts'

const identifiers = ['domain', 'name', 'linkedin_url'] as const

export const lookupCompanies = defineAction('lookup-companies', {
  summary:
    'Resolve up to 100 companies by domain, name or LinkedIn address to their records, for free.',
  notes:
    'Each entry is an object such as {"domain": "stripe.com"} or {"name": "Plaid"}, never a bare string. Use the domain that comes back as a seed of ns_company/lookalikes or for ns_company/deep-research. For SEC registrants use ns_filings/entities.',
  synonyms: [
    'resolve companies',
    'company matching',
    'domain lookup',
    'canonical domain',
    'openfunnel',
  ],
  questions: [
    'what is the right domain of this company?',
    'match my list of company names to records',
    'is recharge.com known, and under which domain?',
  ],
  input: z.strictObject({
    companies: z
      .array(
        z
          .strictObject({
            domain: domainName.optional(),
            name: name.optional(),
            linkedin_url: z.url().max(2_048).optional(),
          })
          .refine(atLeastOne(...identifiers), { message: 'needs domain, name or linkedin_url' }),
      )
      .min(1)
      .max(100)
      .describe('Objects with domain, name or linkedin_url.'),
  }),
  output: z.looseObject({
    results: z.array(
      z.looseObject({ status: z.string().nullish(), matches: z.array(z.looseObject({})) }),
    ),
  }),
  price: 'free',
  example: { input: { companies: [{ domain: 'stripe.com' }, { name: 'Plaid' }] }, cents: 0 },
  run: ({ input, http }) => http.post('/api/v1/account/lookup-companies', input),
})
