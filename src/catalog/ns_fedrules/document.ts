import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { documentObject } from './lib/document-object.ts'

export const document = defineAction('document', {
  summary:
    'Get one Federal Register document by its number: dates, agencies, dockets and links to its text.',
  notes:
    'Its raw_text_url and body_html_url lead to the full text, which a scraping action such as scraping/scrape reads; cfr_references name what it changes, for ns_regs/resolve. Find document numbers with ns_fedrules/search.',
  synonyms: [
    'federal register document',
    'rule by number',
    'comment deadline',
    'effective date',
    'fr doc',
  ],
  questions: [
    'until when can I comment on 2024-01234?',
    'when does this rule take effect?',
    'which parts of the CFR does this rule amend?',
  ],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    document_number: z
      .string()
      .trim()
      .regex(
        /^[A-Za-z0-9]{1,4}-?[A-Za-z0-9-]{1,20}$/,
        'must be a document number such as 2024-01234',
      )
      .describe('Document number: 2024-01234.'),
  }),
  output: documentObject.extend({
    provider: z.string(),
    effective_on: z.string().nullish(),
    comments_close_on: z.string().nullish(),
    cfr_references: z.array(z.looseObject({})).nullish(),
    body_html_url: z.string().nullish(),
    raw_text_url: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { document_number: '2023-28812' }, cents: 1 },
  async run({ input, http }) {
    const number = input.document_number
    const found = await http
      .get(path`/documents/${`${number}.json`}`)
      .catch(explain('not_found', `The Federal Register has no document ${number}.`))
    return { provider: 'Federal Register', ...found }
  },
})
