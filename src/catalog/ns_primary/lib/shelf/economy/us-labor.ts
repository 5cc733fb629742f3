import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { needed } from '../../source-fields.ts'
import { canadaSeries } from './canada-series.ts'

const year = z.int().min(1900).max(2100).optional()
const dayMs = 86_400_000
/** Callers without a registration may ask for ten years and 25 times a day. */
const yearsMax = 10

export const usLabor = defineSource({
  summary: 'A series of the US Bureau of Labor Statistics: consumer prices, unemployment, wages.',
  synonyms: ['cpi', 'inflation rate us', 'unemployment rate us', 'consumer price index', 'bls'],
  source: 'US Bureau of Labor Statistics',
  attribution: 'BLS.gov cannot vouch for the data after they have been retrieved from BLS.gov.',
  host: 'api.bls.gov',
  pacing: [{ requests: 25, windowMs: dayMs }],
  rememberSeconds: 21_600,
  input: z.strictObject({
    series: canadaSeries.parameters.series as z.ZodString,
    from_year: year.describe('First year.'),
    to_year: year.describe('Last year.'),
  }),
  row: z.object({
    year: needed.describe('Year.'),
    period: needed.describe('M01 to M12, Q01 to Q05, or A01 for a year; M13 is a mean.'),
    period_name: z.string().nullish().describe('The period in words.'),
    value: z.number().describe('The value, in the unit of the series.'),
  }),
  example: { series: 'CUUR0000SA0', from_year: 2026, to_year: 2026 },
  async read({ input: { series, from_year: first, to_year: last }, ask }) {
    if (first !== undefined && last !== undefined && last - first >= yearsMax) {
      throw fail('bad_request', {
        message: `The source gives at most ${yearsMax} years at once. Ask for fewer.`,
      })
    }
    const body = await ask.get(path`/publicAPI/v1/timeseries/data/${series}`, {
      startyear: first ?? last,
      endyear: last ?? first,
    })
    refuse(body)
    const [found] = body?.Results?.series ?? []
    return {
      items: mapList(found?.data, ({ year, period, periodName, value }) => ({
        year,
        period,
        period_name: periodName,
        value: value === '-' ? undefined : Number(value),
      })),
    }
  },
})

/** The service reports failures in its answer, with the status 200. */
function refuse(body: UntypedJson): void {
  if (body?.status === 'REQUEST_SUCCEEDED') return
  const told = [body?.message].flat().join(' ')
  if (/threshold|limit/i.test(told)) throw fail('rate_limited')
  if (/does not exist|invalid series/i.test(told)) throw fail('not_found')
  throw fail('upstream_error', {
    message: 'The source did not process this request. Nothing was charged; try again later.',
    cause: new Error(told),
  })
}
