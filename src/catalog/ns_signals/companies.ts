import { defineAction, z } from '#core/action.ts'
import { keepDays, spanOf } from './lib/profile-rows.ts'
import { commaList, companySize, paging, rows } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const vendorOrder: VendorOrder = {
  discovered_at: 'created_at',
  employee_count: 'employee_count',
  founded_year: 'founded_year',
}

export const companies = defineAction('companies', {
  summary: 'Browse company profiles by industry, place, size and age.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. The vendor filters profiles by no day, so days are applied here to the rows of the page, newest first unless sort_by says otherwise. By tech stack use ns_jobs/companies, by likeness ns_company/lookalikes, by event ns_signals/funding.',
  synonyms: ['company database', 'company list', 'browse companies', 'firmographics', 'signalbase'],
  questions: [
    'list biotech companies in Switzerland with under 50 people',
    'software companies founded after 2020 in Spain',
    'give me a list of logistics firms by headcount',
  ],
  input: z
    .strictObject({
      ...paging,
      ...dates,
      industry: commaList.describe('Industries, with commas.'),
      ...companySize,
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { countries: 'CH', employee_count_max: 50, limit: 50 }, cents: 25 },
  async run({ input, http, clock }) {
    const { date_preset, dateFrom, dateTo, ...query } = input
    const span = spanOf({ date_preset, dateFrom, dateTo }, clock.now())
    const newestFirst = span !== undefined && query.sort_by === undefined
    const order = newestFirst
      ? ({ sort_by: 'discovered_at', sort_order: query.sort_order ?? 'desc' } as const)
      : {}
    const page = await readSorted(http, '/companies', { ...query, ...order }, vendorOrder)
    return keepDays(page, span)
  },
})
