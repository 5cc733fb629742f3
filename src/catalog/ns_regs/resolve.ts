import { defineAction, z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { citationOf, parseCitation } from './lib/citation.ts'
import { type Change, changesOf, readDivision } from './lib/division.ts'
import { provenanceObject, provenanceOf } from './lib/provenance.ts'

export const resolve = defineAction('resolve', {
  summary: 'Get the current text of a federal regulation by its citation, with its recent changes.',
  notes:
    'Takes a section (12 CFR 1026.43), a whole part (12 CFR part 1026) or an appendix as ns_regs/search cites it; a paragraph in parentheses is read as its section. The eCFR is authoritative but unofficial: provenance says as of which day it is up to date. Find citations with ns_regs/search; read the rule that changed it with ns_fedrules/search.',
  synonyms: [
    'cfr text',
    'read regulation',
    'code of federal regulations',
    'legal citation',
    'current law text',
  ],
  questions: [
    'what does 12 CFR 1026.43 say?',
    'has 21 CFR 101.9 changed lately?',
    'give me the exact wording of the HIPAA privacy rule',
  ],
  pay: ['mpp'],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    citation: z
      .string()
      .trim()
      .max(100)
      .refine((text) => parseCitation(text) !== undefined, {
        message: 'must be a citation such as 12 CFR 1026.43 or 12 CFR part 1026',
      })
      .describe('Citation: 12 CFR 1026.43.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    citation: z.string(),
    paragraph: z.string().nullable().describe('The paragraph that was asked for, within the text.'),
    title: z.string().nullable(),
    text: z.string(),
    provenance: provenanceObject,
    recent_changes: z.array(z.looseObject({ date: z.string(), substantive: z.boolean() })),
  }),
  price: listPrice(5),
  example: { input: { citation: '40 CFR 197.38' }, cents: 5 },
  takes: { 'CFR citation': { fills: (citation) => ({ citation }) } },
  run: tellPaid(async ({ input, http, clock }) => {
    const cited = parseCitation(input.citation)
    if (cited === undefined) throw fail('bad_request')
    const { title, paragraph, ...query } = cited
    const citation = citationOf(cited)
    const missing = explain(
      'not_found',
      `The eCFR has no ${citation} in force. Find the citation with ns_regs/search.`,
    )
    const { titles = [] } = await http.get('/api/versioner/v1/titles.json')
    const entry = titles.find(({ number }: { number: number }) => String(number) === title)
    const date = entry?.up_to_date_as_of
    if (!date)
      throw fail('not_found', { message: `Title ${title} of the CFR is reserved: it has no text.` })
    const [xml, versions] = await Promise.all([
      http
        .get(path`/api/versioner/v1/full/${date}/${`title-${title}.xml`}`, { query, as: 'text' })
        .catch(missing),
      http.get(path`/api/versioner/v1/versions/${`title-${title}.json`}`, { query }).catch(missing),
    ])
    return {
      provider: 'eCFR',
      citation,
      paragraph,
      ...readDivision(xml),
      provenance: provenanceOf(cited, date, clock.now()),
      recent_changes: changesOf((versions.content_versions ?? []) as Change[]),
    }
  }),
})
