import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne } from '../lib/person-fields.ts'
import { dealRows, paging, perRow, readCost, readMeta } from './lib/deal-object.ts'

const address = z.url().max(2_048).optional()
const identifiers = ['id', 'domain', 'linkedin', 'crunchbase', 'twitter'] as const

export const investorDeals = defineAction('investor-deals', {
  summary: 'List the deal history of a fund, or of a person who invests.',
  notes:
    'Each row returned costs, so page_size sets the most that a call can cost. kind investor is a firm, person a partner or an angel; twitter is for persons, domain for firms. Open a round with ns_funding/deal-investors. For the profile of a fund use ns_enrich/company-funders.',
  synonyms: [
    'portfolio of a fund',
    'vc portfolio',
    'angel portfolio',
    'investments by',
    'track record',
    'fundable',
    'invested in',
  ],
  questions: [
    'what did Sequoia invest in lately?',
    'show the portfolio of this angel investor',
    'deal history of a16z.com',
  ],
  input: z
    .strictObject({
      kind: z.enum(['investor', 'person']).default('investor').describe('A firm or a person.'),
      id: z.uuid().optional().describe('Id of the firm or person.'),
      domain: domainName.optional().describe('Domain of the firm.'),
      linkedin: address.describe('LinkedIn address.'),
      crunchbase: address.describe('Crunchbase address.'),
      twitter: address.describe('X address of a person.'),
      ...paging,
    })
    .refine(exactlyOne(...identifiers), {
      message: `Send exactly one of ${identifiers.join(', ')}`,
    })
    .refine(({ kind, domain }) => kind === 'investor' || domain === undefined, {
      message: 'domain is for kind investor',
    })
    .refine(({ kind, twitter }) => kind === 'person' || twitter === undefined, {
      message: 'twitter is for kind person',
    }),
  output: dealRows,
  price: perRow,
  example: { input: { domain: 'example.com', page_size: 2 }, cents: 20 },
  costUsd: readCost,
  async run({ input: { kind, ...query }, http }) {
    const { data, meta: about } = await http.get(`/${kind}/deals`, { query })
    return { deals: data.deals, meta: readMeta(about) }
  },
})
