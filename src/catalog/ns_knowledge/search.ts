import { defineAction, z } from '#core/action.ts'
import { language } from './lib/language.ts'

interface Found {
  readonly id: string
  readonly label?: string
  readonly description?: string
  readonly aliases?: readonly string[]
}

export const search = defineAction('search', {
  summary: 'Find the Wikidata entity that a name means: ids with labels and descriptions.',
  notes:
    'Finds labels and aliases by their beginning, in one language. Give the id to ns_knowledge/entity for its facts, or use it in ns_knowledge/sparql. For articles use ns_encyclopedia/search.',
  synonyms: [
    'wikidata',
    'entity lookup',
    'q id',
    'knowledge graph',
    'disambiguate',
    'canonical id',
  ],
  questions: [
    'what is the wikidata id of Douglas Adams?',
    'which entity is meant by Mercury?',
    'give me a canonical id for this company',
  ],
  cacheSeconds: 86_400,
  input: z.strictObject({
    q: z.string().trim().min(1).max(250).describe('Name, or the beginning of one.'),
    lang: language,
    limit: z.int().min(1).max(50).default(10).describe('Entities to return, at most 50.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    results: z.array(
      z.looseObject({
        id: z.string().describe('For ns_knowledge/entity: Q42.'),
        label: z.string().nullable(),
        description: z.string().nullable(),
        aliases: z.array(z.string()),
        url: z.url(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { q: 'Douglas Adams', limit: 1 }, cents: 1 },
  async run({ input, http }) {
    const { search: found } = await http.get('/w/api.php', {
      host: { host: 'www.wikidata.org' },
      query: {
        action: 'wbsearchentities',
        format: 'json',
        search: input.q,
        language: input.lang,
        uselang: input.lang,
        type: 'item',
        limit: input.limit,
      },
    })
    return {
      provider: 'Wikidata',
      results: found?.map(({ id, label, description, aliases }: Found) => ({
        id,
        label: label ?? null,
        description: description ?? null,
        aliases: aliases ?? [],
        url: `https://www.wikidata.org/wiki/${id}`,
      })),
    }
  },
})
