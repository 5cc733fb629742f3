import { archiveUrl } from './identifiers.ts'

/** EDGAR lists filings by column. */
type Columns = Readonly<Record<string, readonly (string | number)[]>>

export type FilingRow = ReturnType<typeof toRows>[number]

export function toRows(registrant: string, columns: Columns) {
  const text = (name: string, row: number) => String(columns[name]?.[row] ?? '') || null
  return (columns.accessionNumber ?? []).map((value, row) => {
    const accession = String(value)
    const primaryDocument = text('primaryDocument', row)
    return {
      form: text('form', row) ?? '',
      date: text('filingDate', row) ?? '',
      accession,
      primaryDocument,
      reportDate: text('reportDate', row),
      description: text('primaryDocDescription', row),
      items: text('items', row),
      url: archiveUrl(registrant, accession, primaryDocument ?? `${accession}.txt`),
    }
  })
}
