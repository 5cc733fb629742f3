import { defineAction, z } from '#core/action.ts'
import { commaList, companySize, paging, readRows, rows, sorting } from './lib/signal-fields.ts'

export const companies = defineAction('companies', {
  summary: 'Browse company profiles by industry, place, size and age.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. sort_by takes name, employee_count, founded_year and created_at only; profiles have no date filter. By tech stack use ns_jobs/companies, by likeness ns_company/lookalikes, by event ns_signals/funding.',
  synonyms: ['company database', 'company list', 'browse companies', 'firmographics', 'signalbase'],
  questions: [
    'list biotech companies in Switzerland with under 50 people',
    'software companies founded after 2020 in Spain',
    'give me a list of logistics firms by headcount',
  ],
  input: z.strictObject({
    ...paging,
    industry: commaList.describe('Industries, with commas.'),
    ...companySize,
    ...sorting('name', 'employee_count', 'founded_year', 'created_at'),
  }),
  output: rows,
  price: { cents: 25 },
  example: { input: { countries: 'CH', employee_count_max: 50, limit: 50 }, cents: 25 },
  run: ({ input, http }) => readRows(http, '/companies', input),
})
