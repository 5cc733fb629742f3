// The endpoints, one row each: price, parameters, and how the answer is looked up at its source.
import { pick, type RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { historyFilters, historyNames, type Parameters } from './parameters.ts'
import { auditPage, readSource } from './site-audit.ts'
import { forecast } from './weather.ts'

export interface PrimaryEndpoint {
  readonly summary: string
  /** The highest price of a call. */
  readonly cents: number
  /** The required parameters. */
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** At least one of these optional parameters must be sent. */
  readonly anyOf?: readonly string[] | undefined
  /** An example that works. */
  readonly example: Readonly<Record<string, unknown>>
  /** Words by which discover finds the endpoint. */
  readonly synonyms?: readonly string[] | undefined
  /** Why this gateway cannot answer the endpoint. */
  readonly unavailable?: string | undefined
  /** Resolves to the answer and the name of its source. */
  readonly run: (
    context: Pick<
      RunContext<Parameters>,
      'input' | 'http' | 'call' | 'available' | 'signal' | 'clock'
    >,
  ) => Promise<{ readonly source: string; readonly result: unknown }>
}

export const primaryEndpoints: Readonly<Record<string, PrimaryEndpoint>> = {
  filings: {
    summary: 'The complete filing history of a company, from the SEC.',
    cents: 7,
    required: ['cik'],
    optional: Object.keys(historyFilters),
    example: { cik: '320193' },
    run: async ({ input, call }) => ({
      source: 'SEC EDGAR',
      result: await call('ns_filings/filings', pick(input, 'cik', ...historyNames)),
    }),
  },
  weather: {
    summary:
      'The forecast for any place on Earth: temperature, rain and wind, from the National Weather Service or MET Norway.',
    cents: 1,
    required: ['latitude', 'longitude'],
    example: { latitude: 39.7456, longitude: -97.0892 },
    run: ({ input, http }) => forecast(http, input.latitude ?? 0, input.longitude ?? 0),
  },
  'site-audit': {
    summary: 'What a page tells search engines and readers, and what it misses.',
    cents: 11,
    required: ['url'],
    example: { url: 'https://example.com/' },
    run: async ({ input: { url = '' }, ...context }) => ({
      source: 'the page itself',
      result: auditPage({ html: await readSource(context, url), url }),
    }),
  },
  'political-trades': {
    summary: 'What members of Congress have traded.',
    cents: 7,
    required: ['name'],
    example: { name: 'Nancy Pelosi' },
    unavailable:
      'The House and the Senate publish their disclosures as documents, many of them scanned, and no interface lists the trades. This gateway has no vendor that reads the documents.',
    run: async () => {
      throw fail('provider_not_configured')
    },
  },
}

/** Words by which discover finds these endpoints. */
export const synonyms = [
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
]

type Endpoints = Readonly<Record<string, PrimaryEndpoint>>

export const listEndpoints = (endpoints: Endpoints) =>
  Object.entries(endpoints).map(([endpoint, row]) => {
    const { summary, cents, required, optional = [], anyOf, example, unavailable } = row
    return {
      endpoint,
      summary,
      price_cents: cents,
      required,
      ...(anyOf === undefined ? {} : { one_of: anyOf }),
      ...(optional.length === 0 ? {} : { optional }),
      example: { endpoint, ...example },
      ...(unavailable === undefined ? {} : { unavailable }),
    }
  })
