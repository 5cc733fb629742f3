// Shared by both searches: one address, pages by cursor.
import { z } from '#core/action.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'

const site = 'https://www.courtlistener.com'

export const cursor = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .optional()
  .describe('next_cursor of the page before.')

export const court = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]+( [a-z0-9]+)*$/, 'must be court ids such as cand or scotus')
  .optional()
  .describe('CourtListener’s id of the court: cand, nysd, scotus. Several are separated by spaces.')

type Raw = Readonly<Record<string, unknown>>

/** One page. Addresses without a host become complete. */
export async function searchPage(
  http: ProviderHttp,
  query: Readonly<Record<string, QueryValue>>,
  address: 'absolute_url' | 'docket_absolute_url',
) {
  const { count, next, results = [] } = await http.get('/search/', { query })
  return {
    provider: 'CourtListener',
    count,
    next_cursor: URL.parse(String(next ?? ''))?.searchParams.get('cursor') ?? null,
    results: results.map((raw: Raw) => ({
      ...raw,
      url: typeof raw[address] === 'string' ? `${site}${raw[address]}` : null,
    })),
  }
}
