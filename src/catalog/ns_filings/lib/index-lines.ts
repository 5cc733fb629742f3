import { fail } from '#core/errors.ts'
import { dashed, padCik } from './identifiers.ts'

/**
 * Form types and names contain single spaces, so runs of spaces separate columns, and the right ones are known by their
 * form.
 */
const line =
  /^(\S.*?)\s{2,}(?:(\S.*?)\s+)?(\d{1,10})\s+(\d{4})-?(\d{2})-?(\d{2})\s+(edgar\/\S+)\s*$/
const accessionOf = /(\d{10}-?\d{2}-?\d{6})\.txt$/

/** The heading may wrap, so the list begins after the ruler. */
export function readLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  const ruler = lines.findIndex((candidate) => /^-{20,}/.test(candidate))
  if (ruler === -1)
    throw fail('upstream_error', { cause: new Error('The daily index has no list.') })
  return lines.slice(ruler + 1).filter((candidate) => candidate.trim() !== '')
}

export function readLine(text: string) {
  const match = line.exec(text)
  if (match === null) return []
  const [, form, company = '', cik = '', year, month, day, file = ''] = match
  const accession = dashed(accessionOf.exec(file)?.[1] ?? '')
  return [{ form, company, cik: padCik(cik), date: `${year}-${month}-${day}`, accession, file }]
}
