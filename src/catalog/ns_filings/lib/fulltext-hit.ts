import { z } from '#core/action.ts'
import { archiveUrl } from './identifiers.ts'

/** The fields of a hit in the answer. */
export const hitObject = z.looseObject({
  accession: z.string(),
  filename: z.string().describe('The filename for ns_filings/document.'),
  form: z.string(),
  file_type: z.string().nullable().describe('Which document of the filing matched: EX-99.1.'),
  date: z.string().describe('Day of filing.'),
  ciks: z.array(z.string()),
  names: z.array(z.string()),
  url: z.url(),
})

interface Hit {
  readonly _id: string
  readonly _score?: number | null
  readonly _source: {
    readonly form?: string
    readonly file_type?: string
    readonly file_date?: string
    readonly period_ending?: string
    readonly file_description?: string
    readonly ciks?: readonly string[]
    readonly display_names?: readonly string[]
  }
}

export function readHit({ _id, _score, _source: source }: Hit) {
  const [accession = '', filename = ''] = _id.split(/:(.*)/)
  return {
    accession,
    filename,
    form: source.form ?? '',
    file_type: source.file_type ?? null,
    date: source.file_date ?? '',
    period: source.period_ending ?? null,
    ciks: source.ciks ?? [],
    names: source.display_names ?? [],
    description: source.file_description ?? null,
    score: _score ?? null,
    url: archiveUrl(source.ciks?.[0] ?? '0', accession, filename || `${accession}.txt`),
  }
}
