import { z } from '#core/action.ts'
import { defineSource, mapList } from '../../source.ts'
import { figure, needed, rowsUpTo } from '../../source-fields.ts'
import { period } from './period.ts'

export const usDebt = defineSource({
  summary: 'The national debt of the United States to the penny, day by day, from the Treasury.',
  synonyms: ['national debt', 'us government debt', 'debt to the penny', 'federal deficit'],
  source: 'US Treasury, Fiscal Data',
  host: 'api.fiscaldata.treasury.gov',
  pacing: [{ requests: 5, windowMs: 1_000 }],
  rememberSeconds: 3_600,
  input: z.strictObject({ ...period, limit: rowsUpTo(1_000, 10) }),
  row: z.object({
    date: needed.describe('Day.'),
    total_usd: figure.describe('All public debt.'),
    held_by_public_usd: figure.describe('Debt that is held outside the government.'),
    intragovernmental_usd: figure.describe('Debt that trust funds of the government hold.'),
  }),
  example: { limit: 1 },
  async read({ input: { from, to, limit }, ask }) {
    const bounds = [
      ...(from === undefined ? [] : [`record_date:gte:${from}`]),
      ...(to === undefined ? [] : [`record_date:lte:${to}`]),
    ]
    const body = await ask.get('/services/api/fiscal_service/v2/accounting/od/debt_to_penny', {
      fields: 'record_date,debt_held_public_amt,intragov_hold_amt,tot_pub_debt_out_amt',
      filter: bounds.length === 0 ? undefined : bounds.join(','),
      sort: '-record_date',
      'page[size]': limit,
    })
    return {
      total: body?.meta?.['total-count'] ?? null,
      items: mapList(body?.data, (row) => ({
        date: row.record_date,
        total_usd: row.tot_pub_debt_out_amt,
        held_by_public_usd: row.debt_held_public_amt,
        intragovernmental_usd: row.intragov_hold_amt,
      })),
    }
  },
})
