import { defineAction, z } from '#core/action.ts'
import { perPage } from './work-object.ts'

export const authors = defineAction('authors', {
  summary: 'Search the authors of scholarly works by name.',
  notes:
    'Returns affiliations, counts of works and citations, and the id with which ns_scholar/works filters (author.id:A5023888391). Namesakes are common: compare affiliation and ORCID. For contact data of people use ns_contact/people-search.',
  synonyms: ['researcher', 'scientist', 'academic profile', 'h-index', 'orcid'],
  questions: [
    'what has this researcher published?',
    'where does she work, and what is her h-index?',
    'which of these namesakes wrote on genetics?',
  ],
  cacheSeconds: 3_600,
  input: z.strictObject({
    search: z.string().trim().min(1).max(300).describe('Name of the author.'),
    per_page: perPage,
  }),
  output: z.looseObject({
    provider: z.string(),
    count: z.int().describe('Authors that match; per_page of them are listed.'),
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
  async run({ input, http }) {
    const { meta, results = [] } = await http.get('/authors', {
      query: { search: input.search, 'per-page': input.per_page },
    })
    return { provider: 'OpenAlex', count: meta?.count, results }
  },
})
