import { defineAction, z } from '#core/action.ts'
import { company, perTen, readCost, readRows, recordFields, rows } from './lib/company-rows.ts'

const commaList = z.string().trim().min(1).max(2_000).optional()

export const news = defineAction('news', {
  summary: 'Read the news about a company, or all news, with summary, event class and sentiment.',
  notes:
    'About 2¢ for each ten articles returned. Without company it is the general feed. For the open web use ns_indep/news, for world press ns_press/news.',
  synonyms: ['company news', 'news monitoring', 'press mentions', 'news sentiment', 'akta'],
  questions: [
    'what is the latest news about Tesla?',
    'company news with sentiment since June',
    'did anything happen at acme.com this month?',
  ],
  input: z.strictObject({
    ...recordFields,
    company: company.optional(),
    start_date: z.iso.date().optional().describe('From this day.'),
    end_date: z.iso.date().optional().describe('Until this day.'),
    category: commaList.describe('News categories, with commas.'),
    blacklisted: commaList.describe('Publisher domains to leave out, with commas.'),
  }),
  output: rows,
  price: perTen(2, 'ten articles'),
  example: { input: { company: 'tesla', limit: 10 }, cents: 2 },
  costUsd: readCost,
  run: ({ input, http }) =>
    readRows(http, input.company === undefined ? '/news/' : '/company/news/', input),
})
