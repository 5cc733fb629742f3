import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { defineSource, mapList } from '../../source.ts'
import { observation, rowsUpTo } from '../../source-fields.ts'
import { period } from './period.ts'

/** `V39079` is the target for the overnight rate, `FXUSDCAD` what a US dollar costs in Canada. */
export const canadaSeries = defineSource({
  summary:
    'A series of the Bank of Canada: its policy rate, exchange rates, bond yields, inflation.',
  synonyms: ['bank of canada rate', 'canadian dollar exchange rate', 'overnight rate canada'],
  source: 'Bank of Canada',
  attribution: 'Source: Bank of Canada, Valet API.',
  host: 'www.bankofcanada.ca',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({
    series: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_.-]{2,60}$/, 'must be the name of one series')
      .describe(
        'Name of a series. Bank of Canada: V39079 (policy rate), FXUSDCAD. BLS: CUUR0000SA0 (prices), LNS14000000 (unemployment).',
      ),
    ...period,
    limit: rowsUpTo(1_000, 10),
  }),
  row: observation,
  example: { series: 'FXUSDCAD', limit: 2 },
  async read({ input: { series, from, to, limit }, ask }) {
    const isLatest = from === undefined && to === undefined
    const body = await ask.get(path`/valet/observations/${series}/json`, {
      recent: isLatest ? limit : undefined,
      start_date: from,
      end_date: to,
    })
    const { label = null, description = null } = body?.seriesDetail?.[series] ?? {}
    const items = mapList(body?.observations, (row) => ({
      date: row.d,
      value: Number(row[series].v),
    }))
    const newestFirst = items.toSorted((one, other) => compareDays(other?.date, one?.date))
    return { label, description, items: newestFirst.slice(0, limit) }
  },
})

const compareDays = (one = '', other = '') => one.localeCompare(other)
