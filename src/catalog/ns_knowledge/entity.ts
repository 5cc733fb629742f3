import { defineAction, z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { describeEntity } from './lib/describe-entity.ts'
import { language } from './lib/language.ts'

export const entity = defineAction('entity', {
  summary: 'Get the facts that Wikidata has of one entity: label, description and claims.',
  notes:
    'Its claims are values by property id (P31 is instance of, P569 date of birth, P856 website); values that are entities are their ids. Merged entities lead to what they became: id says which. Find ids with ns_knowledge/search; for questions over many entities use ns_knowledge/sparql.',
  synonyms: [
    'wikidata facts',
    'structured data',
    'properties',
    'claims',
    'cross references',
    'external ids',
    'birth date',
    'facts about a person',
    'height',
    'population',
  ],
  questions: [
    'when was Q42 born?',
    'what is the official website of this entity?',
    'which ids does this company have in other registries?',
  ],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[QPL]\d{1,12}$/, 'must be an entity id such as Q42')
      .describe('Entity id: Q42.'),
    lang: language,
  }),
  output: z.looseObject({
    provider: z.string(),
    id: z.string(),
    redirected_from: z.string().nullable(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    aliases: z.array(z.string()),
    claims: z
      .record(z.string(), z.array(z.unknown()))
      .describe('Values by property id, best first.'),
    sitelinks: z.record(z.string(), z.string()).describe('Titles of the articles, by wiki.'),
    url: z.url(),
  }),
  price: { cents: 1 },
  example: { input: { id: 'Q42', lang: 'en' }, cents: 1 },
  takes: { 'Wikidata id': { fills: (id) => ({ id }) } },
  async run({ input, http }) {
    const read = (id: string) =>
      http
        .send({
          method: 'GET',
          path: path`/wiki/Special:EntityData/${`${id}.json`}`,
          host: { host: 'www.wikidata.org' },
          accept: [301, 302, 303, 307],
        })
        .catch(explain('not_found', `Wikidata has no entity ${input.id}.`))
    const first = await read(input.id)
    // A merged entity is answered directly or by a redirect to its successor.
    const into = /EntityData\/([QPL]\d+)/i.exec(first.headers.location ?? '')?.[1]?.toUpperCase()
    const { body } = first.status === 200 || into === undefined ? first : await read(into)
    const [found] = Object.values<Record<string, unknown>>(body?.entities ?? {})
    if (found === undefined || 'missing' in found)
      throw fail('not_found', { message: `Wikidata has no entity ${input.id}.` })
    return { provider: 'Wikidata', ...describeEntity(found, input) }
  },
})
