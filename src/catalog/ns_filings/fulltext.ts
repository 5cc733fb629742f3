import { defineAction, z } from '#core/action.ts'
import { mapRows } from '#core/rows.ts'
import { formTypes, readFormTypes } from './lib/form-types.ts'
import { hitObject, readHit } from './lib/fulltext-hit.ts'

/** The index returns a hundred hits at a time; an answer shows ten, and `from` selects the others. */
const hitsPerPage = 10
const fromMax = 9_900
const coverageBegins = '2001-01-01'

export const fulltext = defineAction('fulltext', {
  summary: 'Search the full text of SEC filings since 2001, exhibits included.',
  notes:
    'Put phrases in double quotes; OR, NOT and a trailing * work. forms takes root form types, comma-separated: amendments match automatically, and listing an amendment (10-K/A) returns amendments only. Ten ranked hits a page: go on with from = next_from. Coverage begins in 2001. For all filings of one registrant use ns_filings/filings.',
  synonyms: [
    'edgar full text search',
    'search inside filings',
    'sec search',
    'mentions in filings',
    'disclosures of companies',
  ],
  questions: [
    'which companies mention a ransomware attack in their filings?',
    'who lists us as a risk factor?',
    'which 8-Ks of last week speak of layoffs?',
  ],
  cacheSeconds: 600,
  input: z.strictObject({
    q: z.string().trim().min(1).max(1_000).describe('Words or "phrases" to look for.'),
    forms: formTypes.describe('Root form types, comma-separated: 10-K,8-K.'),
    startdt: z.iso.date().optional().describe('First day of filing.'),
    enddt: z.iso.date().optional().describe('Last day of filing.'),
    from: z.int().min(0).max(fromMax).default(0).describe('Hits to skip.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    total: z.int().describe('Hits, counted up to 10 000.'),
    total_is_lower_bound: z.boolean(),
    from: z.int(),
    next_from: z.int().nullable().describe('The from of the next page; null on the last.'),
    hits: z.array(hitObject),
  }),
  price: { cents: 1 },
  example: {
    input: { q: '"Horizon Bancorp"', forms: '4', startdt: '2026-08-27', enddt: '2026-08-27' },
    cents: 1,
  },
  async run({ input, http, clock }) {
    const { q, from, startdt, enddt } = input
    const limited = startdt !== undefined || enddt !== undefined
    const { hits } = await http.get('/LATEST/search-index', {
      host: { host: 'efts' },
      query: {
        q,
        forms: input.forms && readFormTypes(input.forms).join(','),
        dateRange: limited ? 'custom' : undefined,
        startdt: limited ? (startdt ?? coverageBegins) : undefined,
        enddt: limited ? (enddt ?? new Date(clock.now()).toISOString().slice(0, 10)) : undefined,
        from: from || undefined,
      },
    })
    const rows = mapRows(hits.hits.slice(0, hitsPerPage), readHit)
    const next = from + rows.length
    return {
      provider: 'SEC EDGAR',
      total: hits.total.value,
      total_is_lower_bound: hits.total.relation === 'gte',
      from,
      next_from: rows.length > 0 && next < hits.total.value && next <= fromMax ? next : null,
      hits: rows,
    }
  },
})
