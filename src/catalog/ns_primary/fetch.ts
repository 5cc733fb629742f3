import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { AddedEndpoint } from './lib/added.ts'
import { findProblems, mergeParameters } from './lib/endpoint-parameters.ts'
import { listEndpoints, type PrimaryEndpoint, primaryEndpoints, synonyms } from './lib/endpoints.ts'
import { parameters } from './lib/parameters.ts'
import { shelf } from './lib/shelf/shelf.ts'

const shelfParameters = mergeParameters(shelf)

/** Includes the endpoints of the operator's file, which take the place of sources of the same name. */
export function createFetch(added: Readonly<Record<string, AddedEndpoint>>) {
  const declared: Readonly<Record<string, AddedEndpoint>> = { ...added, ...shelf, ...added }
  const endpoints: Readonly<Record<string, PrimaryEndpoint>> = { ...primaryEndpoints, ...declared }
  const names = Object.keys(endpoints)
  const centsMax = Math.max(...Object.values(endpoints).map(({ cents }) => cents))
  const centsOf = (endpoint: string) => endpoints[endpoint]?.cents ?? 0

  return defineAction('fetch', {
    summary:
      'Look something up at its primary source: statistics, central banks, registers, elections, spending, weather, tides, filings.',
    notes:
      'Each endpoint has its own price and parameters: discover and GET list them under endpoints. The same filings without the endpoint are ns_filings/filings; to read a page rather than audit it use scraping/scrape.',
    synonyms: [...synonyms, ...Object.values(declared).flatMap(({ synonyms = [] }) => synonyms)],
    questions: [
      'what will the weather be in Denver tomorrow?',
      'what is wrong with the SEO of my page?',
      'what has this company filed?',
      'were there strong earthquakes this week?',
      'when is high tide in San Francisco?',
      'who lobbies for this company?',
      'what is the deposit rate of the ECB?',
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
          .describe('What to look up: the name of an endpoint.'),
        ...parameters,
        ...(Object.keys(added).length === 0 ? shelfParameters : mergeParameters(declared)),
        // The gateway's own declarations of these names are the wider ones.
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
    async run({ input, http, call, available, signal, clock }) {
      const { endpoint } = input
      const row = endpoints[endpoint] as PrimaryEndpoint
      const found = await row.run({ input, http, call, available, signal, clock })
      return { provider: 'Primary sources', endpoint, ...found }
    },
  })
}
