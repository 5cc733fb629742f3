import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { AddedEndpoint } from './lib/added.ts'
import { findProblems, mergeParameters } from './lib/endpoint-parameters.ts'
import {
  listEndpoints,
  type PrimaryEndpoint,
  priceList,
  primaryEndpoints,
  synonyms,
} from './lib/endpoints.ts'
import { parameters } from './lib/parameters.ts'

/** Includes the endpoints of the operator's file. */
export function createFetch(added: Readonly<Record<string, AddedEndpoint>>) {
  const endpoints: Readonly<Record<string, PrimaryEndpoint>> = { ...primaryEndpoints, ...added }
  const names = Object.keys(endpoints)
  const centsMax = Math.max(...Object.values(endpoints).map(({ cents }) => cents))
  const centsOf = (endpoint: string) => endpoints[endpoint]?.cents ?? 0

  return defineAction('fetch', {
    summary: 'Look something up at its primary source: filings, weather, a site audit.',
    notes: `Each endpoint has its own price and parameters: ${priceList(endpoints)}. The same filings without the endpoint are ns_filings/filings; to read a page rather than audit it use scraping/scrape.`,
    synonyms: [...synonyms, ...Object.values(added).flatMap(({ synonyms = [] }) => synonyms)],
    questions: [
      'what will the weather be in Denver tomorrow?',
      'what is wrong with the SEO of my page?',
      'what has this company filed?',
    ],
    endpoints: listEndpoints(endpoints),
    timeoutMs: 120_000,
    errors: ['bad_url', 'not_found', 'provider_not_configured'],
    input: z
      .strictObject({
        endpoint: z
          .string()
          .trim()
          .transform((name) => name.replace(/^\/+/, ''))
          .pipe(z.enum(names as [string, ...string[]]))
          .describe(`What to look up: ${names.join(', ')}.`),
        ...mergeParameters(added),
        ...parameters,
      })
      .superRefine(({ endpoint, ...sent }, context) => {
        const given = Object.entries(sent).filter(([, value]) => value !== undefined)
        for (const [name, message] of findProblems(endpoints[endpoint], endpoint, given))
          context.addIssue({ code: 'custom', path: [name], message })
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
      const reason = endpoints[endpoint]?.unavailable
      if (reason !== undefined) throw fail('provider_not_configured', { message: reason })
    },
    example: { input: { endpoint: 'weather', latitude: 39.7456, longitude: -97.0892 }, cents: 1 },
    async run({ input, http, call, available, signal }) {
      const { endpoint } = input
      const row = endpoints[endpoint] as PrimaryEndpoint
      const found = await row.run({ input, http, call, available, signal })
      return { provider: 'Primary sources', endpoint, ...found }
    },
  })
}
