import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { readSeries } from '../../sdmx.ts'
import { defineSource } from '../../source.ts'
import { code, observation, rowsUpTo } from '../../source-fields.ts'
import { period } from './period.ts'

/** The central bank fixes what one euro buys on each working day, at about 16:00 in Frankfurt. */
export const euroExchangeRates = defineSource({
  summary:
    'What one euro is worth in another currency, day by day, from the European Central Bank.',
  synonyms: ['euro exchange rate', 'ecb reference rate', 'eur to usd', 'currency conversion'],
  source: 'European Central Bank',
  attribution: 'Source: ECB statistics.',
  host: 'data-api.ecb.europa.eu',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    currency: code(/^[A-Z]{3}$/, 'a currency of three letters: USD').describe(
      'Currency that one euro is stated in: USD.',
    ),
    ...period,
    limit: rowsUpTo(5_000, 30),
  }),
  row: observation,
  example: { currency: 'USD', limit: 5 },
  async read({ input: { currency, from, to, limit }, ask }) {
    const body = await ask.get(path`/service/data/EXR/D.${currency}.EUR.SP00.A`, {
      format: 'jsondata',
      startPeriod: from,
      endPeriod: to,
      lastNObservations: limit,
    })
    return { base: 'EUR', currency, items: readSeries(body) }
  },
})
