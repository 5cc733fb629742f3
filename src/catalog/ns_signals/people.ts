import { defineAction, z } from '#core/action.ts'
import { keepDays, spanOf } from './lib/profile-rows.ts'
import { commaList, paging, readRows, rows, text } from './lib/signal-fields.ts'
import { sorting, sortRows } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

export const people = defineAction('people', {
  summary: 'Browse people by title, function, seniority and country.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. The vendor neither sorts people nor filters them by day, so both are applied here to the rows of the page. With skills and places use ns_contact/people-search; for people who just moved ns_signals/job-changes.',
  synonyms: [
    'people database',
    'browse executives',
    'contact list',
    'leads by function',
    'signalbase',
  ],
  questions: [
    'list heads of engineering in France',
    'people in finance functions at director level',
    'browse marketing leaders by country',
  ],
  people: true,
  input: z
    .strictObject({
      limit: paging.limit,
      page: paging.page,
      search: paging.search,
      ...dates,
      title: text.describe('Part of the title.'),
      function: commaList.describe('Functions, with commas: engineering,finance.'),
      seniority: commaList.describe('Levels, with commas: director,vp.'),
      country: commaList.describe('Country codes, with commas.'),
      ...sorting({}),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { title: 'Head of Engineering', country: 'FR', limit: 50 }, cents: 25 },
  async run({ input, http, clock }) {
    const { date_preset, dateFrom, dateTo, sort_by: by, sort_order: order, ...query } = input
    const page = await readRows(http, '/people', query)
    const kept = keepDays(page, spanOf({ date_preset, dateFrom, dateTo }, clock.now()))
    return sortRows(kept, { by, order })
  },
})
