import { defineAction, z } from '#core/action.ts'
import { exactlyOne, name } from '../lib/person-fields.ts'

export const techCatalog = defineAction('tech-catalog', {
  summary: 'Look up the slugs of technologies and intent topics by name.',
  notes:
    'Slugs are case-sensitive: take them from here for ns_jobs/companies and ns_jobs/jobs. keyword_type technology lists technologies, keyword_type_not technology everything else, which are the topics of ns_jobs/buying-intents.',
  synonyms: ['technology slug', 'keyword catalog', 'technology list', 'topic list', 'theirstack'],
  questions: [
    'what is the slug for Google BigQuery?',
    'which technologies can I filter companies by?',
    'list the intent topics about security',
  ],
  input: z
    .strictObject({
      q: name.describe('Part of the name.'),
      keyword_type: z.literal('technology').optional().describe('Technologies only.'),
      keyword_type_not: z.literal('technology').optional().describe('Everything but technologies.'),
    })
    .refine(
      (input) =>
        (input.keyword_type ?? input.keyword_type_not) === undefined ||
        exactlyOne('keyword_type', 'keyword_type_not')(input),
      { message: 'Send keyword_type or keyword_type_not, not both' },
    ),
  output: z.looseObject({
    keywords: z.array(z.looseObject({ slug: z.string().nullish(), name: z.string().nullish() })),
  }),
  price: { cents: 1 },
  example: { input: { q: 'bigquery', keyword_type: 'technology' }, cents: 1 },
  async run({ input: { q, ...kind }, http }) {
    const { data } = await http.get('/v0/catalog/keywords', { query: { name_pattern: q, ...kind } })
    return { keywords: data }
  },
})
