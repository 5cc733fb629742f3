import { defineAction, z } from '#core/action.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { describeHit, type Hit, hitObject, isInForce } from './lib/hit.ts'

/** The index also returns versions that are no longer in force. */
const askedFor = 100

export const search = defineAction('search', {
  summary: 'Search the Code of Federal Regulations that is in force in the United States.',
  notes:
    'Best matches first, each with the citation that ns_regs/resolve takes. agency is the slug of the agency, such as environmental-protection-agency. For rules as they are proposed and published day by day use ns_fedrules/search; for how courts read them ns_courts/cases.',
  synonyms: [
    'regulation',
    'cfr',
    'federal code',
    'compliance rule',
    'legal requirement',
    'ecfr',
    'legal limits',
    'what the law says',
  ],
  questions: [
    'what does federal law require for air bags?',
    'which regulation covers organic labels?',
    'are there federal rules on drone flights at night?',
  ],
  pay: ['mpp'],
  cacheSeconds: 3_600,
  input: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('Words or "phrases" to look for.'),
    agency: z
      .string()
      .trim()
      .toLowerCase()
      .transform((name) => name.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, ''))
      .pipe(z.string().min(1).max(150))
      .optional()
      .describe('Agency, by its slug: environmental-protection-agency.'),
    limit: z.int().min(1).max(20).default(10).describe('Sections to return, at most 20.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int().nullable().describe('Hits of the index, former versions included.'),
    results: z.array(hitObject),
  }),
  price: listPrice(3),
  example: { input: { query: 'Yucca Mountain severable', limit: 1 }, cents: 3 },
  run: tellPaid(async ({ input, http, clock }) => {
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    const { results, meta } = await http.get('/api/search/v1/results', {
      query: { query: input.query, 'agency_slugs[]': input.agency, per_page: askedFor, page: 1 },
    })
    const inForce = (results as Hit[]).filter((hit) => isInForce(hit, today))
    return {
      provider: 'eCFR',
      total: meta?.total_count ?? null,
      results: inForce.slice(0, input.limit).map(describeHit),
    }
  }),
})
