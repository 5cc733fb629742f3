import { defineAction, z } from '#core/action.ts'
import { atLeastOne } from '../lib/person-fields.ts'
import { documentObject } from './lib/document-object.ts'
import { agencySlug, documentTypes, saidAs } from './lib/filters.ts'

export const search = defineAction('search', {
  summary:
    'Search the Federal Register: rules, proposed rules, notices and presidential documents.',
  notes:
    'A type is RULE, PRORULE (proposed), NOTICE or PRESDOCU (executive orders and proclamations), or several comma-separated; agency is a slug such as environmental-protection-agency. Newest first unless there is a term, which is ranked. Pages from 1; the provider lists the first 2000 matches. Read one with ns_fedrules/document; for the code as it is in force use ns_regs/resolve.',
  synonyms: [
    'federal register',
    'rulemaking',
    'proposed rule',
    'executive order',
    'public comment',
    'notice',
    'regulation',
  ],
  saidAs,
  questions: [
    'which new rules did the EPA publish this month?',
    'what executive orders were signed in 2025?',
    'is there a proposed rule on credit card fees?',
  ],
  cacheSeconds: 1_800,
  input: z
    .strictObject({
      term: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .describe('Words or "phrases" to look for.'),
      type: documentTypes.optional().describe('Kind of document: RULE, PRORULE, NOTICE, PRESDOCU.'),
      agency: agencySlug.optional().describe('Agency, by its slug.'),
      date_gte: z.iso.date().optional().describe('Published on this day or later.'),
      date_lte: z.iso.date().optional().describe('Published on this day or earlier.'),
      per_page: z.int().min(1).max(100).default(20).describe('Documents to return, at most 100.'),
      page: z.int().min(1).max(2_000).default(1).describe('Page, the first is 1.'),
    })
    .refine(atLeastOne('term', 'type', 'agency', 'date_gte', 'date_lte'), {
      message: 'Send term, type, agency, date_gte or date_lte',
    }),
  output: z.looseObject({
    provider: z.string(),
    count: z.int(),
    total_pages: z.int().nullable(),
    page: z.int(),
    next_page: z.int().nullable(),
    results: z.array(documentObject),
  }),
  price: { cents: 1 },
  example: { input: { term: 'small modular reactor', type: 'PRORULE', per_page: 1 }, cents: 1 },
  async run({ input, http }) {
    const { term, type, agency, date_gte, date_lte, per_page, page } = input
    const answer = await http.get('/documents.json', {
      query: {
        'conditions[term]': term,
        'conditions[type][]': type?.split(','),
        'conditions[agencies][]': agency,
        'conditions[publication_date][gte]': date_gte,
        'conditions[publication_date][lte]': date_lte,
        order: term === undefined ? 'newest' : 'relevance',
        per_page,
        page,
      },
    })
    return {
      provider: 'Federal Register',
      count: answer.count,
      total_pages: answer.total_pages ?? null,
      page,
      next_page: answer.next_page_url ? page + 1 : null,
      // Without matches the reply has no list.
      results: answer.results ?? [],
    }
  },
})
