// What can be looked up at its source, one row each: price, parameters, and how it is looked up.
import { type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { normalizeUrl, urlCharactersMax } from '#core/web-address.ts'
import { cikText } from '../ns_filings/identifiers.ts'
import { auditPage, readSource } from './site-audit.ts'
import { forecast } from './weather.ts'

interface PrimaryEndpoint {
  readonly summary: string
  /** The most that a call costs. */
  readonly cents: number
  /** The parameters that it must be sent. */
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** Parameters that work. */
  readonly example: Parameters
  readonly source: string
  /** Why nobody answers it on this gateway. */
  readonly unavailable?: string
  readonly run: (
    context: Pick<RunContext<Parameters>, 'input' | 'http' | 'call' | 'available'>,
  ) => Promise<unknown>
}

/** Every parameter that some endpoint takes. */
export const parameters = {
  cik: z
    .string()
    .trim()
    .max(20)
    .pipe(cikText)
    .optional()
    .describe('Central Index Key of a registrant: 320193.'),
  latitude: z.number().min(-90).max(90).optional().describe('Degrees north.'),
  longitude: z.number().min(-180).max(180).optional().describe('Degrees east.'),
  url: z
    .string()
    .trim()
    .max(urlCharactersMax)
    .transform((text) => normalizeUrl(text))
    .optional()
    .describe('Address of a page.'),
  name: z.string().trim().max(100).optional().describe('Name of a person.'),
}

type Parameters = {
  readonly [Name in keyof typeof parameters]?: z.output<(typeof parameters)[Name]>
}

export const primaryEndpoints: Readonly<Record<string, PrimaryEndpoint>> = {
  filings: {
    summary: 'The complete filing history of a company, from the SEC.',
    cents: 7,
    required: ['cik'],
    example: { cik: '320193' },
    source: 'SEC EDGAR',
    run: ({ input, call }) => call('ns_filings/filings', { cik: input.cik }),
  },
  weather: {
    summary:
      'The forecast for a place in the United States: temperature, rain and wind, from the National Weather Service.',
    cents: 1,
    required: ['latitude', 'longitude'],
    example: { latitude: 39.7456, longitude: -97.0892 },
    source: 'National Weather Service',
    run: ({ input, http }) => forecast(http, input.latitude ?? 0, input.longitude ?? 0),
  },
  'site-audit': {
    summary: 'What a page tells search engines and readers, and what it misses.',
    cents: 11,
    required: ['url'],
    example: { url: 'https://example.com/' },
    source: 'the page itself',
    run: async ({ input: { url = '' }, ...context }) =>
      auditPage({ html: await readSource(context, url), url }),
  },
  'political-trades': {
    summary: 'What members of Congress have traded.',
    cents: 7,
    required: ['name'],
    example: { name: 'Nancy Pelosi' },
    source: 'House and Senate disclosures',
    unavailable:
      'The disclosures are published as scanned forms, and this gateway has no vendor who reads them.',
    run: async () => {
      throw fail('provider_not_configured')
    },
  },
}
