import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

/** Longer addresses than this are refused upstream. */
const queryCharactersMax = 6_000

type Binding = Readonly<Record<string, { readonly value: string }>>

export const sparql = defineAction('sparql', {
  summary: 'Run a SPARQL query over Wikidata and get its rows.',
  notes:
    'Keep it LIMITed: Wikidata gives a query 60 seconds. The usual prefixes (wd:, wdt:, p:, ps:, pq:, wikibase:, bd:) are known; SERVICE wikibase:label fetches labels. Scholarly articles live in a graph of their own and are missing here: use ns_scholar/works. For one entity use ns_knowledge/entity.',
  synonyms: [
    'wikidata query',
    'graph query',
    'list all',
    'structured query',
    'knowledge base query',
    'winners of a prize',
  ],
  questions: [
    'list all countries with their capitals',
    'which Nobel laureates were born in Vienna?',
    'all airports of Norway with coordinates',
  ],
  cacheSeconds: 3_600,
  timeoutMs: 75_000,
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(queryCharactersMax)
      .refine(
        (text) => !/\b(insert|delete|drop|clear|load)\s+(data|where|\{|graph|silent|<)/i.test(text),
        {
          message: 'must only read: SELECT or ASK',
        },
      )
      .describe('SPARQL, SELECT or ASK, with a LIMIT.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    columns: z.array(z.string()),
    count: z.int(),
    rows: z.array(z.record(z.string(), z.string())),
    boolean: z.boolean().nullable().describe('The answer to an ASK; null for a SELECT.'),
  }),
  price: { cents: 1 },
  example: {
    input: { query: 'SELECT ?item WHERE { ?item wdt:P31 wd:Q146 } LIMIT 1' },
    cents: 1,
  },
  async run({ input, http }) {
    const { head, results, boolean } = await http.get('/sparql', {
      host: { host: 'query.wikidata.org' },
      query: { query: input.query, format: 'json' },
      headers: { accept: 'application/sparql-results+json' },
    })
    const bindings: readonly Binding[] | undefined =
      results?.bindings ?? (boolean == null ? undefined : [])
    if (bindings === undefined) throw fail('upstream_error')
    return {
      provider: 'Wikidata',
      columns: head?.vars ?? [],
      count: bindings.length,
      rows: bindings.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])),
      ),
      boolean: boolean ?? null,
    }
  },
})
