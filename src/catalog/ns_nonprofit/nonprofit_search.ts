import { defineAction, z } from '#core/action.ts'
import {
  describeOrganization,
  type FoundOrganization,
  organizationObject,
} from './lib/organization.ts'

const perPage = 25
/** The provider does not list further results. */
const pageMax = 399

export const nonprofitSearch = defineAction('nonprofit_search', {
  summary: 'Search US tax-exempt organizations by name, state and field of work.',
  notes:
    'Looks for q in names of organizations, not of people or places: there is no city filter, so filter the results by city. ntee is the major group, 1 to 10 (1 arts, 2 education, 3 environment and animals, 4 health, 5 human services, 6 international, 7 public benefit, 8 religion, 9 mutual benefit, 10 unclassified). 25 a page, the first page is 0. Read finances with ns_nonprofit/nonprofit and the ein.',
  synonyms: [
    'charity',
    'foundation',
    '501c3',
    'ngo',
    'tax-exempt organization',
    'form 990',
    'ein lookup',
    'charities in a state',
    'food bank',
  ],
  questions: [
    'what is the EIN of the Red Cross?',
    'which animal charities are there in Oregon?',
    'is this charity registered?',
  ],
  cacheSeconds: 86_400,
  input: z
    .strictObject({
      q: z.string().trim().min(1).max(200).optional().describe('Name of the organization.'),
      state: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, 'must be the two letters of a state')
        .optional()
        .describe('State, by its two letters: NY.'),
      ntee: z.int().min(1).max(10).optional().describe('Major group of the NTEE, 1 to 10.'),
      page: z.int().min(0).max(pageMax).default(0).describe('Page of 25, the first is 0.'),
    })
    .refine(({ q, state, ntee }) => [q, state, ntee].some((value) => value !== undefined), {
      message: 'Send q, state or ntee',
    }),
  output: z.looseObject({
    provider: z.string(),
    total: z.int(),
    page: z.int(),
    next_page: z.int().nullable(),
    organizations: z.array(organizationObject),
  }),
  price: { cents: 1 },
  example: { input: { q: 'propublica', state: 'NY' }, cents: 1 },
  async run({ input, http }) {
    const { page, q, state, ntee } = input
    const query = { q, 'state[id]': state, 'ntee[id]': ntee, page }
    // The provider answers an empty result with 404 and a normal page.
    const asked = { path: '/search.json', query, accept: [404] }
    const { status, body } = await http.send({ method: 'GET', ...asked })
    const organizations: FoundOrganization[] = body?.organizations ?? []
    const total: number = status === 404 ? 0 : body?.total_results
    return {
      provider: 'ProPublica Nonprofit Explorer',
      total,
      page,
      next_page:
        organizations.length > 0 && (page + 1) * perPage < total && page < pageMax
          ? page + 1
          : null,
      organizations: organizations.map(describeOrganization),
    }
  },
})
