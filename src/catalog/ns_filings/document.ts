import { defineAction, z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { filename } from './lib/filename.ts'
import { accession, archivePath, archiveUrl, cik } from './lib/identifiers.ts'

export const document = defineAction('document', {
  summary: 'Read one document of an SEC filing as text.',
  notes:
    'Prefer the xml, htm or txt file of a filing. A prefix such as xslF345X06/ is dropped, which gives the raw XML. PDFs, images, office files and archives are unreadable here and refused. Filenames come from ns_filings/filings (primaryDocument) and ns_filings/fulltext.',
  synonyms: ['read filing', 'sec document', 'form 4 xml', '10-K text', 'exhibit'],
  questions: [
    'what does this 10-K say about competition?',
    'read this form 4',
    'what is in exhibit 99.1 of this filing?',
  ],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    cik,
    accession,
    filename: filename.describe('Name of the file: primary_doc.xml.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    cik: z.string(),
    accession: z.string(),
    filename: z.string(),
    content_type: z.string().nullable(),
    content: z.string(),
    chars: z.int(),
    url: z.url(),
  }),
  price: { cents: 1 },
  example: {
    input: {
      cik: '320193',
      accession: '0000320193-94-000016',
      filename: '0000320193-94-000016.txt',
    },
    cents: 1,
  },
  async run({ input, http }) {
    const parts = [input.cik, input.accession, input.filename] as const
    const request = { method: 'GET', path: archivePath(...parts), as: 'text' } as const
    const { headers, body } = await http
      .send({ ...request, host: { host: 'www' } })
      .catch(
        explain(
          'not_found',
          `EDGAR has no file ${input.filename} in filing ${input.accession} of CIK ${input.cik}.`,
        ),
      )
    if (body.includes('\0')) {
      throw fail('bad_request', { message: `${input.filename} is not text. Read another file.` })
    }
    return {
      provider: 'SEC EDGAR',
      ...input,
      content_type: headers['content-type'] ?? null,
      content: body,
      chars: body.length,
      url: archiveUrl(...parts),
    }
  },
})
