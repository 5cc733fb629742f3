import { defineAction, z } from '#core/action.ts'
import { commaList, paging, readRows, rows, text } from './lib/signal-fields.ts'

export const people = defineAction('people', {
  summary: 'Browse people by title, function, seniority and country.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. There is no sort_by and no date filter. With skills and places use ns_contact/people-search; for people who just moved ns_signals/job-changes.',
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
  input: z.strictObject({
    limit: paging.limit,
    page: paging.page,
    search: paging.search,
    title: text.describe('Part of the title.'),
    function: commaList.describe('Functions, with commas: engineering,finance.'),
    seniority: commaList.describe('Levels, with commas: director,vp.'),
    country: commaList.describe('Country codes, with commas.'),
  }),
  output: rows,
  price: { cents: 25 },
  example: { input: { title: 'Head of Engineering', country: 'FR', limit: 50 }, cents: 25 },
  run: ({ input, http }) => readRows(http, '/people', input),
})
