import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { defineSource, mapList } from '../../source.ts'
import { figure, needed, rowsUpTo } from '../../source-fields.ts'
import { period } from './period.ts'

const markets = {
  effr: 'unsecured',
  obfr: 'unsecured',
  sofr: 'secured',
  bgcr: 'secured',
  tgcr: 'secured',
} as const

export const usReferenceRates = defineSource({
  summary: 'The fed funds rate, SOFR and the other US money market rates, from the New York Fed.',
  synonyms: ['federal funds rate', 'sofr', 'fed interest rate', 'effr', 'us policy rate'],
  source: 'Federal Reserve Bank of New York',
  host: 'markets.newyorkfed.org',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    benchmark: z
      .enum(['effr', 'obfr', 'sofr', 'bgcr', 'tgcr'])
      .default('effr')
      .describe('US reference rate: effr is the federal funds rate, with its target range.'),
    ...period,
    limit: rowsUpTo(250, 10),
  }),
  row: z.object({
    date: needed.describe('Day on which the rate applied.'),
    percent: z.number().describe('The rate.'),
    target_from_percent: figure.describe('Lower end of the target range; effr only.'),
    target_to_percent: figure.describe('Upper end of the target range; effr only.'),
    volume_billion_usd: figure.describe('Transactions behind the rate.'),
  }),
  example: { benchmark: 'effr', limit: 2 },
  async read({ input: { benchmark, from, to, limit }, ask }) {
    const market = markets[benchmark]
    const isLatest = from === undefined && to === undefined
    const body = isLatest
      ? await ask.get(path`/api/rates/${market}/${benchmark}/last/${`${limit}.json`}`, {})
      : await ask.get(path`/api/rates/${market}/${benchmark}/search.json`, {
          startDate: from,
          endDate: to,
          type: 'rate',
        })
    const items = mapList(body?.refRates, (row) => ({
      date: row.effectiveDate,
      percent: row.percentRate,
      target_from_percent: row.targetRateFrom,
      target_to_percent: row.targetRateTo,
      volume_billion_usd: row.volumeInBillions,
    }))
    return { benchmark, items: items.slice(0, limit) }
  },
})
