// A registrant's history has pages: the first has the newest filings, and further files the older ones, newest first.
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import { type FilingRow, toRows } from './filing-rows.ts'
import { isOfForms } from './form-types.ts'

/** Callers who page through a history request its files repeatedly. */
const rememberSeconds = 600
/** One call reads at most this many files. The busiest registrants have about 130. */
const filesReadMax = 400

interface File {
  readonly name: string
  readonly filingCount?: number
  readonly filingFrom?: string
  readonly filingTo?: string
}

export interface HistoryQuestion {
  readonly cik: string
  readonly forms?: readonly string[] | undefined
  readonly startdt?: string | undefined
  readonly enddt?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** The requested filings and their total. Files that neither needs are not read. */
export async function readHistory(http: ProviderHttp, question: HistoryQuestion) {
  const { cik, limit, offset } = question
  const get = (name: string) =>
    http.get(path`/submissions/${name}`, { host: { host: 'data' }, rememberSeconds })
  const registrant = await get(`CIK${cik}.json`).catch(
    explain('not_found', `EDGAR has no registrant with the CIK ${cik}.`),
  )
  const wanted = (row: FilingRow) => isWanted(question, row)
  const found = toRows(cik, registrant.filings.recent).filter(wanted)
  let total = found.length
  // The position of the first row of `found` among all matches.
  const kept = found.slice(offset, offset + limit)
  let filesRead = 0
  for (const file of (registrant.filings.files ?? []) as File[]) {
    if (mayHold(question, file) === 'nothing') continue
    const isInList = total + (file.filingCount ?? 0) > offset && kept.length < limit
    if (!isInList && mayHold(question, file) === 'everything') {
      total += file.filingCount ?? 0
      continue
    }
    filesRead += 1
    if (filesRead > filesReadMax) throw fail('bad_request', { message: tooLong })
    const rows = toRows(cik, await get(file.name)).filter(wanted)
    kept.push(...rows.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)))
    total += rows.length
  }
  return { registrant, total, filings: kept }
}

const tooLong =
  'The history of this registrant is too long to be searched as a whole. Send startdt and enddt.'

function isWanted({ forms, startdt, enddt }: HistoryQuestion, { form, date }: FilingRow): boolean {
  return (
    (forms === undefined || isOfForms(forms, form)) &&
    (startdt === undefined || date >= startdt) &&
    (enddt === undefined || date <= enddt)
  )
}

/** The number of requested filings in a file that was not read, as far as its dates and its count show. */
function mayHold(
  { forms, startdt, enddt }: HistoryQuestion,
  { filingCount, filingFrom, filingTo }: File,
): 'nothing' | 'something' | 'everything' {
  if (startdt !== undefined && filingTo !== undefined && filingTo < startdt) return 'nothing'
  if (enddt !== undefined && filingFrom !== undefined && filingFrom > enddt) return 'nothing'
  const isWithin =
    (startdt === undefined || (filingFrom !== undefined && filingFrom >= startdt)) &&
    (enddt === undefined || (filingTo !== undefined && filingTo <= enddt))
  return forms === undefined && filingCount !== undefined && isWithin ? 'everything' : 'something'
}
