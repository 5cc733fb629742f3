import { defineAction, z } from '#core/action.ts'
import { company, readCost, usdPerCredit } from './lib/company-rows.ts'

const sectionsMax = 16
const leastCents = 4
const mostCents = 35
/** The price of a section if the vendor does not report its cost: that of its technology section. */
const usualCents = 10

export const companyEnrich = defineAction('company-enrich', {
  summary: 'Get chosen sections of a company’s profile: technology, products, headcount and so on.',
  notes:
    'Each section costs 4 to 35¢, by what the vendor takes for it; only sections that come back are charged. funding_detail and mna_and_investment need an enterprise plan at the vendor. For the tech stack with confidence use ns_jobs/technographics, for rounds ns_funding/deals, for people ns_contact/people-search.',
  synonyms: [
    'company enrichment',
    'firmographics',
    'company profile',
    'company overview',
    'due diligence',
    'akta',
    'wokelo',
  ],
  questions: [
    'give me a company profile of acme.com',
    'what products and technology does this company have?',
    'enrich an account with firmographic data',
  ],
  input: z.strictObject({
    company,
    sections: z
      .array(z.string().regex(/^[a-z][a-z0-9_]{1,60}$/, 'must be a section such as technology'))
      .min(1)
      .max(sectionsMax)
      .refine((sections) => new Set(sections).size === sections.length, 'names a section twice')
      .describe('Sections such as technology.'),
  }),
  output: z.looseObject({
    data: z.looseObject({}),
    credits_consumed: z.number().nullish(),
  }),
  price: {
    upToCents: ({ sections }) => mostCents * sections.length,
    atMostCents: mostCents * sectionsMax,
    settle({ input, output: { data, credits_consumed: credits } }) {
      const delivered = input.sections.filter((section) => isDelivered(data[section])).length
      const cents = credits == null ? usualCents * delivered : credits * usdPerCredit * 100
      return Math.min(Math.max(cents, leastCents * delivered), mostCents * delivered)
    },
  },
  example: { input: { company: 'example.com', sections: ['technology'] }, cents: 35 },
  takes: { domain: { place: 2, fills: (company) => ({ company, sections: ['technology'] }) } },
  costUsd: readCost,
  async run({ input, http }) {
    const { data, credits_consumed } = await http.get('/company/enrichment/', {
      query: { company: input.company, sections: input.sections.join(',') },
    })
    return { data: data ?? {}, credits_consumed }
  },
})

function isDelivered(section: unknown): boolean {
  if (section == null) return false
  return typeof section !== 'object' || Object.keys(section).length > 0
}
