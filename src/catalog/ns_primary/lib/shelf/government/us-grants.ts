import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineSource, mapList } from '../../source.ts'
import { needed, pageNumber, rowsUpTo, text, words } from '../../source-fields.ts'

export const usGrants = defineSource({
  summary:
    'Grants of US agencies that one can apply for now or soon: agency, number and deadlines.',
  synonyms: [
    'grant opportunities',
    'apply for a grant',
    'grants.gov',
    'funding opportunity',
    'sbir',
  ],
  source: 'Grants.gov',
  host: 'api.grants.gov',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 0,
  input: z.strictObject({
    q: words.describe('Words to look for.'),
    status: z
      .enum(['posted', 'forecasted', 'closed', 'archived'])
      .default('posted')
      .describe('Whether one can apply: posted; forecasted is to come.'),
    page: pageNumber,
    limit: rowsUpTo(100, 25),
  }),
  row: z.object({
    id: needed.describe('Identifier of the opportunity.'),
    number: text.describe('Its number.'),
    title: needed.describe('Its title.'),
    agency: text.describe('The agency that gives it.'),
    agency_code: text.describe('Code of the agency.'),
    opens: text.describe('From which day one can apply.'),
    closes: text.describe('Until which day one can apply; null if that is open.'),
    status: text.describe('posted, forecasted, closed or archived.'),
    url: text.describe('Its page.'),
  }),
  example: { q: 'rural health', limit: 2 },
  async read({ input: { q, status, page, limit }, ask }) {
    const body = await ask.post('/v1/api/search2', {
      keyword: q,
      oppStatuses: status,
      rows: limit,
      startRecordNum: (page - 1) * limit,
    })
    if (body?.errorcode !== 0) {
      throw fail('upstream_error', {
        message: 'Grants.gov could not run this search. Nothing was charged; try again later.',
        cause: new Error(String(body?.msg)),
      })
    }
    const total = body.data?.hitCount ?? null
    return {
      total,
      next_page: total !== null && page * limit < total ? page + 1 : null,
      items: mapList(body.data?.oppHits, (row) => ({
        id: String(row.id ?? ''),
        number: row.number,
        title: row.title,
        agency: row.agency ?? row.agencyName,
        agency_code: row.agencyCode,
        opens: isoDay(row.openDate),
        closes: isoDay(row.closeDate),
        status: row.oppStatus,
        url: `https://www.grants.gov/search-results-detail/${row.id}`,
      })),
    }
  },
})

/** Days are written month first: 10/15/2024. */
function isoDay(written: unknown): string | null {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(String(written ?? '')) ?? []
  return year === undefined ? null : `${year}-${month}-${day}`
}
