import { defineAction, z } from '#core/action.ts'
import { atLeastOne, name } from '../lib/person-fields.ts'
import { plainTerms } from './lib/plain-terms.ts'

const pageSizeMax = 25
const termsOfOneList = z.array(name).min(1).max(50).optional()
const filters = ['job_title', 'location', 'seniority', 'skills'] as const

export const peopleSearch = defineAction('people-search', {
  summary: 'Search professional profiles by job title, place, seniority and skills.',
  notes:
    'Each profile returned costs, so page_size sets the most that a call can cost; a search that finds no one is free. AND, OR and NOT work inside job_title and skills. Profiles come without contact data: go on with ns_contact/linkedin-contacts or ns_email_a/email-finder. For people described in a sentence use ns_semantic/search with category people.',
  synonyms: [
    'find people',
    'lead search',
    'prospecting',
    'list of executives',
    'decision makers',
    'contactout',
    'people by job title',
    'managers',
  ],
  questions: [
    'who are the heads of marketing in Berlin?',
    'find me senior data engineers with Kafka skills in Texas',
    'candidates for a product manager role in Toronto',
  ],
  people: true,
  input: z
    .strictObject({
      job_title: termsOfOneList.describe('Job titles; AND, OR, NOT allowed inside each.'),
      location: plainTerms.describe('Cities, regions or countries.'),
      seniority: plainTerms.describe('Levels such as director, vp, cxo.'),
      skills: z
        .union([name, z.array(name).min(1).max(50)])
        .transform((skills) => (typeof skills === 'string' ? [skills] : skills))
        .optional()
        .describe('Skills; AND, OR, NOT allowed inside each.'),
      page_size: z
        .int()
        .min(1)
        .max(pageSizeMax)
        .default(10)
        .describe('Profiles at most; sets the price.'),
      page: z.int().min(1).max(1_000).default(1).describe('Page of the results, from 1.'),
    })
    .refine(atLeastOne(...filters), { message: `Send at least one of ${filters.join(', ')}` }),
  output: z.looseObject({
    metadata: z.looseObject({ total_results: z.number().nullish() }),
    profiles: z.array(z.looseObject({ url: z.string() })),
  }),
  price: {
    cents: 1,
    per: ({ page_size }) => page_size,
    unit: 'profile',
    atMost: pageSizeMax,
    used: ({ profiles }) => profiles.length,
  },
  example: {
    input: { job_title: ['Head of Marketing'], location: ['Berlin'], page_size: 2 },
    cents: 2,
  },
  async run({ input, http }) {
    const { metadata, profiles } = await http.post('/v1/people/search', input)
    // Keyed by address, or an empty list if no profile was found.
    const found = Object.entries<object>(Array.isArray(profiles) ? {} : (profiles ?? {}))
    return {
      metadata: metadata ?? {},
      profiles: found.map(([url, profile]) => ({ url, ...profile })),
    }
  },
})
