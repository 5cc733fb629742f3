import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { keysOf } from '#core/input/records.ts'
import { trendsEndpoints } from './lib/endpoints.ts'

const cents = 5

export const fetch = defineAction('fetch', {
  summary:
    'Get how much people search for a keyword: over time, by region, and what else they search.',
  notes:
    'The endpoint is /trend, /interest-by-region, /related-queries or /related-topics. Values are relative, 100 being the peak. For what the press writes instead of what people search use ns_press/timeline.',
  synonyms: [
    'google trends',
    'search interest',
    'popularity',
    'search volume',
    'keyword trend',
    'rising queries',
  ],
  questions: [
    'is interest in padel growing?',
    'in which states do people search for this?',
    'what else do people who search for heat pumps look for?',
  ],
  endpoints: Object.entries(trendsEndpoints).map(([endpoint, { summary }]) => ({
    endpoint,
    summary,
    price_cents: cents,
    required: ['keyword'],
    example: { endpoint, keyword: 'coffee' },
  })),
  cacheSeconds: 3_600,
  timeoutMs: 70_000,
  input: z.strictObject({
    endpoint: z
      .enum(keysOf(trendsEndpoints))
      .describe('/trend, /interest-by-region, /related-queries or /related-topics.'),
    keyword: z.string().trim().min(1).max(100).describe('Keyword: coffee.'),
    geo: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}(-[A-Z0-9]{1,3}){0,2}$/, 'must be a place such as US or US-CA')
      .optional()
      .describe('Place: US, US-CA. Absent: the world.'),
    date: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .optional()
      .describe('Period: today 12-m, today 5-y, 2024-01-01 2024-06-30.'),
  }),
  output: z.looseObject({ endpoint: z.string(), keyword: z.string(), data: z.unknown() }),
  price: { cents },
  example: { input: { endpoint: '/trend', keyword: 'coffee' }, cents },
  async run({ input, http }) {
    const { endpoint, keyword, geo, date } = input
    const { dataType, field } = trendsEndpoints[endpoint]
    const query = { engine: 'google_trends', q: keyword, data_type: dataType, geo, date }
    const answer = await http.get('/search.json', { query })
    if (answer?.[field] == null) throw fail('upstream_error')
    return { endpoint, keyword, data: answer[field] }
  },
})
