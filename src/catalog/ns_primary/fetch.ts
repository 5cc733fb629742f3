import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { parameters, primaryEndpoints } from './endpoints.ts'

const names = Object.keys(primaryEndpoints)
const centsMax = Math.max(...Object.values(primaryEndpoints).map(({ cents }) => cents))
const centsOf = (endpoint: string) => primaryEndpoints[endpoint]?.cents ?? 0

export const fetch = defineAction('fetch', {
  summary: 'Look something up at its primary source: filings, weather, a site audit.',
  notes: `Each endpoint has its own price and parameters: ${Object.entries(primaryEndpoints)
    .map(([name, { cents, required }]) => `${name} (${cents}¢: ${required.join(', ')})`)
    .join(
      '; ',
    )}. The same filings without the endpoint are ns_filings/filings; to read a page rather than audit it use scraping/scrape.`,
  synonyms: [
    'primary source',
    'weather forecast',
    'site audit',
    'seo check',
    'official data',
    'lookup',
    'temperature',
    'seo problems',
    'stock trades of senators',
    'congress trading',
    'will it rain',
    'snow',
    'landing page',
  ],
  questions: [
    'what will the weather be in Denver tomorrow?',
    'what is wrong with the SEO of my page?',
    'what has this company filed?',
  ],
  endpoints: Object.entries(primaryEndpoints).map(
    ([endpoint, { summary, cents, required, example, unavailable }]) => ({
      endpoint,
      summary,
      price_cents: cents,
      required,
      example: { endpoint, ...example },
      ...(unavailable === undefined ? {} : { unavailable }),
    }),
  ),
  timeoutMs: 120_000,
  input: z
    .strictObject({
      endpoint: z
        .string()
        .trim()
        .transform((name) => name.replace(/^\/+/, ''))
        .pipe(z.enum(names as [string, ...string[]]))
        .describe(`What to look up: ${names.join(', ')}.`),
      ...parameters,
    })
    .superRefine(({ endpoint, ...sent }, context) => {
      const { required = [], optional = [] } = primaryEndpoints[endpoint] ?? {}
      const given = Object.entries(sent).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      )
      for (const name of required.filter((needed) => !given.includes(needed)))
        context.addIssue({ code: 'custom', path: [name], message: `is needed for ${endpoint}` })
      for (const name of given.filter((other) => ![...required, ...optional].includes(other)))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `is no parameter of ${endpoint}`,
        })
    }),
  output: z.looseObject({
    provider: z.string(),
    endpoint: z.string(),
    source: z.string(),
    result: z.looseObject({}),
  }),
  price: {
    upToCents: ({ endpoint }) => centsOf(endpoint),
    atMostCents: centsMax,
    settle: ({ input }) => centsOf(input.endpoint),
  },
  check({ endpoint }) {
    const reason = primaryEndpoints[endpoint]?.unavailable
    if (reason !== undefined) throw fail('provider_not_configured', { message: reason })
  },
  example: { input: { endpoint: 'weather', latitude: 39.7456, longitude: -97.0892 }, cents: 1 },
  async run({ input, http, call, available }) {
    const { endpoint } = input
    const row = primaryEndpoints[endpoint]
    const result = await row?.run({ input, http, call, available })
    return { provider: 'Primary sources', endpoint, source: row?.source, result }
  },
})
