import { plainText } from '../../lib/plain-text.ts'

const changesMax = 10

/** The heading and the text of a section or part, one line for each paragraph. */
export function readDivision(xml: string): { title: string | null; text: string } {
  const heading = /<HEAD>(.*?)<\/HEAD>/is.exec(xml)?.[1]
  const lines = xml
    .replace(/<\?xml[^>]*>/, '')
    // Adjacent elements must not merge into one word.
    .replaceAll(/<\/(T[DH]|HED)>/gi, ' ')
    .replaceAll(/<\/(P|FP[\w-]*|HEAD|HD\d|CITA|AUTH|SOURCE|TR|LI|NOTE|EXTRACT)>/gi, '\n')
    .split('\n')
    .map(plainText)
    .filter((line) => line !== '')
  return { title: heading === undefined ? null : plainText(heading), text: lines.join('\n') }
}

/** A version of a section, as listed by the versioner. */
export interface Change {
  readonly date: string
  readonly amendment_date?: string | null
  readonly identifier?: string
  readonly name?: string
  readonly substantive?: boolean
  readonly removed?: boolean
}

/** The latest, newest first. */
export function changesOf(versions: readonly Change[]) {
  return versions
    .toSorted((one, other) => other.date.localeCompare(one.date))
    .slice(0, changesMax)
    .map(({ date, amendment_date, identifier, name, substantive, removed }) => ({
      date,
      amendment_date: amendment_date ?? null,
      section: identifier ?? null,
      name: name ?? null,
      substantive: substantive ?? false,
      removed: removed ?? false,
    }))
}
