import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne, name } from '../lib/person-fields.ts'
import { metadata } from './lib/search-fields.ts'

const identifiers = ['company_domain', 'company_name', 'company_linkedin_url'] as const

export const buyingIntents = defineAction('buying-intents', {
  summary:
    'List the topics that a company seems about to spend money on, read from its job postings.',
  notes:
    'One company per call, by domain, name or LinkedIn address. Free when nothing is known. To ask one question about a company use ns_company/deep-research; for companies that act on a technology ns_company/tech-intent.',
  synonyms: [
    'intent data',
    'buying signals',
    'purchase intent',
    'sales trigger',
    'what are they about to buy',
    'theirstack',
  ],
  questions: [
    'what is this company likely to buy next?',
    'intent topics for acme.com',
    'is this account in the market for a data warehouse?',
  ],
  input: z
    .strictObject({
      company_domain: domainName.optional().describe('Domain of the company.'),
      company_name: name.optional().describe('Exact name of the company.'),
      company_linkedin_url: z.url().max(2_048).optional().describe('Its LinkedIn address.'),
    })
    .refine(exactlyOne(...identifiers), {
      message: `Send exactly one of ${identifiers.join(', ')}`,
    }),
  output: z.looseObject({ intents: z.array(z.looseObject({})), metadata }),
  price: { cents: 25, used: ({ intents }) => (intents.length > 0 ? 1 : 0) },
  example: { input: { company_domain: 'example.com' }, cents: 25 },
  async run({ input, http }) {
    const { data, metadata: about } = await http.post('/v1/companies/buying_intents', input)
    return { intents: data, metadata: about }
  },
})
