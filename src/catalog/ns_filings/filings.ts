import { defineAction, z } from '#core/action.ts'
import { formTypes, readFormTypes } from './lib/form-types.ts'
import { readHistory } from './lib/history.ts'
import { cik } from './lib/identifiers.ts'

const limitMax = 5_000
/** An answer without a limit stays below the 20,000,000 characters that are stored of one. */
const rowsMax = 30_000
const offsetMax = 1_000_000

export const filings = defineAction('filings', {
  summary: 'List the complete filing history of one SEC registrant, newest first.',
  notes: `Without limit the answer is the whole history, not only the latest thousand filings: up to ${rowsMax.toLocaleString('en')}. With limit it is a page: go on with offset = next_offset. forms, startdt and enddt narrow it down; a root form such as 10-K includes its amendments, 10-K/A means amendments only. Old filings have no primaryDocument: read their url. Find the CIK with ns_filings/entities; read a filing with ns_filings/document; search inside filings with ns_filings/fulltext.`,
  synonyms: ['sec filings', '10-K', '10-Q', '8-K', 'form 4', 'edgar history', 'annual report'],
  questions: [
    'what has Tesla filed with the SEC?',
    'when was the last 10-K of this company?',
    'show me every insider filing of this registrant',
  ],
  cacheSeconds: 600,
  timeoutMs: 120_000,
  errors: ['not_found'],
  input: z.strictObject({
    cik,
    forms: formTypes.describe('Form types, comma-separated: 10-K,8-K.'),
    startdt: z.iso.date().optional().describe('First day of filing.'),
    enddt: z.iso.date().optional().describe('Last day of filing.'),
    limit: z
      .int()
      .min(1)
      .max(limitMax)
      .optional()
      .describe(`Filings to return, at most ${limitMax}. Without it: all.`),
    offset: z.int().min(0).max(offsetMax).default(0).describe('Filings to skip.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    cik: z.string(),
    name: z.string().nullable(),
    tickers: z.array(z.string()),
    total: z.int().describe('Filings that match.'),
    offset: z.int(),
    next_offset: z.int().nullable().describe('The offset of the next page; null on the last.'),
    complete: z.boolean().describe('False when older filings that match are left out.'),
    filings: z.array(
      z.looseObject({
        form: z.string(),
        date: z.string().describe('Day of filing.'),
        accession: z.string(),
        primaryDocument: z.string().nullable().describe('The filename for ns_filings/document.'),
        reportDate: z.string().nullable(),
        url: z.url(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { cik: '320193' }, cents: 1 },
  takes: { CIK: { fills: (cik) => ({ cik }) } },
  async run({ input, http }) {
    const { forms, limit = rowsMax, ...question } = input
    const { registrant, total, filings } = await readHistory(http, {
      ...question,
      limit,
      forms: forms === undefined ? undefined : readFormTypes(forms),
    })
    const next = input.offset + filings.length
    const isLast = next >= total
    return {
      provider: 'SEC EDGAR',
      cik: input.cik,
      name: registrant.name ?? null,
      tickers: registrant.tickers ?? [],
      total,
      offset: input.offset,
      next_offset: isLast ? null : next,
      complete: isLast,
      filings,
    }
  },
})
