import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { toRows } from './filing-rows.ts'
import { cik } from './identifiers.ts'

/** The history of the busiest issuers runs to hundreds of thousands; beyond this the oldest are left out. */
const filingsMax = 50_000

export const filings = defineAction('filings', {
  summary: 'List the complete filing history of one SEC registrant, newest first.',
  notes:
    'Covers every page of the history, not only the latest thousand. Old filings have no primaryDocument: read their url. Find the CIK with ns_filings/entities; read a filing with ns_filings/document; search inside filings with ns_filings/fulltext.',
  synonyms: ['sec filings', '10-K', '10-Q', '8-K', 'form 4', 'edgar history', 'annual report'],
  questions: [
    'what has Tesla filed with the SEC?',
    'when was the last 10-K of this company?',
    'show me every insider filing of this registrant',
  ],
  cacheSeconds: 600,
  timeoutMs: 120_000,
  input: z.strictObject({ cik }),
  output: z.looseObject({
    provider: z.string(),
    cik: z.string(),
    name: z.string().nullable(),
    tickers: z.array(z.string()),
    total: z.int(),
    complete: z.boolean().describe('False when the oldest filings are left out.'),
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
  async run({ input, http }) {
    const get = (name: string) => http.get(path`/submissions/${name}`, { host: { host: 'data' } })
    const {
      name,
      tickers,
      filings: listed,
    } = await get(`CIK${input.cik}.json`).catch(
      explain('not_found', `EDGAR has no registrant with the CIK ${input.cik}.`),
    )
    const pages: { name: string }[] = listed.files ?? []
    const rows = toRows(input.cik, listed.recent)
    for (const page of pages) {
      if (rows.length > filingsMax) break
      rows.push(...toRows(input.cik, await get(page.name)))
    }
    const kept = rows.slice(0, filingsMax)
    return {
      provider: 'SEC EDGAR',
      cik: input.cik,
      name: name ?? null,
      tickers: tickers ?? [],
      total: kept.length,
      complete: rows.length <= filingsMax,
      filings: kept,
    }
  },
})
