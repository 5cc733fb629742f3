import { defineAction, z } from '#core/action.ts'
import { keepDays, spanOf } from './lib/profile-rows.ts'
import { commaList, companySize, paging, readRows, rows, sorting } from './lib/signal-fields.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

export const companies = defineAction('companies', {
  summary: 'Browse company profiles by industry, place, size and age.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. sort_by takes name, employee_count, founded_year, created_at and discovered_at only, the last two being one. The vendor filters profiles by no day, so days are applied here to the rows of the page, newest first unless sort_by says otherwise. By tech stack use ns_jobs/companies, by likeness ns_company/lookalikes, by event ns_signals/funding.',
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
      ...sorting('name', 'employee_count', 'founded_year', 'created_at', 'discovered_at'),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { countries: 'CH', employee_count_max: 50, limit: 50 }, cents: 25 },
  async run({ input, http, clock }) {
    const { date_preset, dateFrom, dateTo, sort_by: by, sort_order: order, ...query } = input
    const span = spanOf({ date_preset, dateFrom, dateTo }, clock.now())
    const newestFirst = span !== undefined && by === undefined
    const page = await readRows(http, '/companies', {
      ...query,
      sort_by: by === 'discovered_at' || newestFirst ? 'created_at' : by,
      sort_order: newestFirst ? (order ?? 'desc') : order,
    })
    return keepDays(page, span)
  },
})
