import { defineAction, z } from '#core/action.ts'
import { askList } from './lib/ask-list.ts'
import { listFields, pageFields, pageIsReachable, unreachable } from './lib/list-fields.ts'

export const authors = defineAction('authors', {
  summary: 'Search the authors of scholarly works by name.',
  notes:
    'Returns affiliations, counts of works and citations, and the id with which ns_scholar/works filters (author.id:A5023888391). Namesakes are common: compare affiliation and ORCID, or filter by them (affiliations.institution.ror:https://ror.org/02mhbdp94). Go on with page = next_page. For contact data of people use ns_contact/people-search.',
  synonyms: ['researcher', 'scientist', 'academic profile', 'h-index', 'orcid'],
  questions: [
    'what has this researcher published?',
    'where does she work, and what is her h-index?',
    'which of these namesakes wrote on genetics?',
  ],
  cacheSeconds: 3_600,
  input: z
    .strictObject({
      search: z.string().trim().min(1).max(300).describe('Name of the author.'),
      ...listFields,
    })
    .refine(pageIsReachable, unreachable),
  output: z.looseObject({
    provider: z.string(),
    count: z.int().describe('Authors that match; per_page of them are listed.'),
    ...pageFields,
    results: z.array(
      z.looseObject({
        id: z.string().describe('OpenAlex id, as a URL.'),
        display_name: z.string(),
        orcid: z.string().nullish(),
        works_count: z.int().nullish(),
        cited_by_count: z.int().nullish(),
        last_known_institutions: z.array(z.looseObject({})).nullish(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { search: 'Jason Priem', per_page: 1 }, cents: 1 },
  run: ({ input, http }) => askList(http, '/authors', input, ['id', 'display_name']),
})
