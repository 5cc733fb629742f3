// Loads the files that a description refers to, breadth first.
import { descriptionBytesMax, filesMax, loadsAtOnce } from './limits.ts'
import { addressOf, isObject, type SourceDocuments } from './place.ts'
import { DescriptionProblem } from './problem.ts'
import { readDocument, type SourceDocument } from './source-document.ts'

/** The text of a file. Rejects where it may not be read or is not there. */
export type LoadFile = (address: string) => Promise<string>

/**
 * A file that cannot be loaded is left out: only what refers to it is. Throws a DescriptionProblem for the first file,
 * and for more files or bytes than the limits allow.
 */
export async function loadDocuments(
  text: string,
  address: string,
  load: LoadFile | undefined,
): Promise<{ readonly root: SourceDocument; readonly documents: SourceDocuments }> {
  let bytes = Buffer.byteLength(text)
  if (bytes > descriptionBytesMax) throw tooLarge()
  const root = readDocument(text, address)
  const documents = new Map([[address, root]])
  const asked = new Set([address])
  const next = load ? filesOf(root, asked) : []

  async function loadOne(file: string): Promise<SourceDocument | undefined> {
    const content = await load?.(file).catch(() => undefined)
    if (content === undefined) return undefined
    bytes += Buffer.byteLength(content)
    if (bytes > descriptionBytesMax) throw tooLarge()
    try {
      return readDocument(content, file)
    } catch {
      return undefined
    }
  }

  while (next.length > 0) {
    const batch = next.splice(0, loadsAtOnce)
    if (documents.size + batch.length > filesMax)
      throw new DescriptionProblem(
        `The description has more than ${filesMax} files. Bundle it into one.`,
      )
    for (const document of await Promise.all(batch.map(loadOne))) {
      if (document === undefined) continue
      documents.set(document.address, document)
      next.push(...filesOf(document, asked))
    }
  }
  return { root, documents }
}

const tooLarge = () =>
  new DescriptionProblem(
    `The description has more than ${descriptionBytesMax} bytes. Take out what is not sold.`,
  )

/** The files that a file refers to and that were not asked for. */
function filesOf({ value, address }: SourceDocument, asked: Set<string>): string[] {
  const found: string[] = []
  const seen = new Set<unknown>()
  const pending = [value]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    for (const child of Object.values(part)) pending.push(child)
    const file = isObject(part) && typeof part.$ref === 'string' ? part.$ref.split('#', 1)[0] : ''
    if (!file) continue
    const target = addressOf(file, address)
    if (asked.has(target) || !mayLead(address, target)) continue
    asked.add(target)
    found.push(target)
  }
  return found.reverse()
}

/** What comes from the web may not read the files of this machine. */
const mayLead = (from: string, to: string) =>
  /^https?:/i.test(to) || (!/^https?:/i.test(from) && !/^(?!file:)[a-z][a-z\d+.-]*:/i.test(to))
