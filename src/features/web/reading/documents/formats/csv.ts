// CSV and its kin: the delimiter and the charset are told by the content.
import { decodeText } from '@tollway/reader'
import Papa from 'papaparse'
import { evenRows } from '../blocks.ts'
import { noMetadata, type OpenedDocument } from '../document.ts'
import { unreadable } from '../failure.ts'
import type { DocumentTask } from '../messages.ts'
import { paginate } from '../paginate.ts'

const delimiters = [',', ';', '\t', '|']
/** Text that nothing calls CSV must look like it for so many rows. */
const sniffedRows = 20

export function openCsv(
  bytes: Buffer,
  { contentType = '', fileName = '' }: Pick<DocumentTask, 'contentType' | 'fileName'>,
): OpenedDocument {
  const { delimiter, text } = takeDelimiter(decodeText(bytes, contentType).text)
  const { data } = Papa.parse<string[]>(text, {
    ...(delimiter === undefined ? { delimitersToGuess: delimiters } : { delimiter }),
    skipEmptyLines: 'greedy',
  })
  const isNamed =
    /\b(?:csv|tab-separated)/i.test(contentType) || /\.(?:csv|tsv|tab)$/i.test(fileName)
  if (data.length === 0 || (!isNamed && !looksLikeTable(data)))
    throw unreadable('The text is not a table. Send it as a .csv file if it is one.')
  const flow = [{ kind: 'table', rows: evenRows(data) } as const]
  return {
    type: 'csv',
    metadata: noMetadata,
    *pages(first) {
      let number = 0
      for (const blocks of paginate(flow)) {
        number += 1
        if (number >= first) yield { title: null, blocks }
      }
    },
  }
}

/** Excel names the delimiter in a line of its own above the table. */
function takeDelimiter(text: string) {
  const [line, delimiter] = /^\ufeff?"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(text) ?? ['']
  return { delimiter, text: text.slice(line.length) }
}

function looksLikeTable(rows: readonly string[][]): boolean {
  const [head = [], ...body] = rows.slice(0, sniffedRows)
  return head.length > 1 && body.length > 0 && body.every(({ length }) => length === head.length)
}
