import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { readSeries } from '../../sdmx.ts'
import { defineSource } from '../../source.ts'
import { observation, rowsUpTo } from '../../source-fields.ts'
import { period } from './period.ts'

const instruments = { deposit: 'DFR', refinancing: 'MRR_FR', lending: 'MLFR' } as const

/** The series has a value for each day on which the rate changed. */
export const euroKeyRates = defineSource({
  summary: 'The key interest rates of the European Central Bank and the days of their changes.',
  synonyms: ['ecb interest rate', 'deposit facility rate', 'policy rate', 'base rate euro area'],
  source: 'European Central Bank',
  attribution: 'Source: ECB statistics.',
  host: 'data-api.ecb.europa.eu',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    rate: z
      .enum(['deposit', 'refinancing', 'lending'])
      .default('deposit')
      .describe('Which key rate of the ECB: deposit facility, main refinancing, marginal lending.'),
    ...period,
    limit: rowsUpTo(500, 10),
  }),
  row: observation,
  example: { rate: 'deposit', limit: 2 },
  async read({ input: { rate, from, to, limit }, ask }) {
    const key = `B.U2.EUR.4F.KR.${instruments[rate]}.LEV`
    const body = await ask.get(path`/service/data/FM/${key}`, {
      format: 'jsondata',
      startPeriod: from,
      endPeriod: to,
      lastNObservations: limit,
    })
    return { rate, unit: 'percent', items: readSeries(body) }
  },
})
