// The request that an input of an imported operation becomes.
import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'
import { isUuid } from '#core/id.ts'
import { mayBeBase64 } from '#core/input/data-address.ts'
import { ownValue } from '#core/input/own-value.ts'
import type { HttpRequest } from '#core/ports.ts'
import type { DescribedField, DescribedOperation } from '../described-operation.ts'
import { plainFileName } from './file-name.ts'
import { type FileContent, writeRequest } from './write-request.ts'

/** Of a file of the caller that is sent on. */
const fileBytesMax = 50_000_000

/** Throws `bad_request` for a value that cannot be sent, and as `files.open` does. */
export async function buildRequest(
  operation: DescribedOperation,
  input: Readonly<Record<string, unknown>>,
  files: Pick<CallerFiles, 'open' | 'find'>,
): Promise<HttpRequest> {
  const contents = new Map<unknown, FileContent>()
  for (const field of operation.fields.filter(({ in: place }) => place === 'file'))
    for (const value of [ownValue(input, field.name)].flat())
      if (value !== undefined && value !== null)
        contents.set(value, await readFile(field, value, files))
  const fileOf = (value: unknown) => contents.get(value) ?? unreadFile()
  const { method, path, headers, body } = writeRequest(operation, input, fileOf)
  return {
    method,
    path,
    at: operation.server,
    headers,
    ...(body && { bytes: body }),
    ...(operation.security === 'none' && { anonymous: true }),
    as: 'bytes',
    hidesKey: true,
  }
}

function unreadFile(): never {
  throw new Error('A file was not read before its request was written.')
}

/** The bytes of a file that the input names or contains. */
async function readFile(
  { name: field }: DescribedField,
  value: unknown,
  files: Pick<CallerFiles, 'open' | 'find'>,
): Promise<FileContent> {
  if (typeof value === 'string' && isUuid(value)) {
    const { mediaType, filename, bytes } = await files.find(value)
    if (bytes > fileBytesMax)
      throw fail('payload_too_large', {
        message: `${field} is larger than ${fileBytesMax / 1e6} MB. Nothing was charged.`,
      })
    const chunks: Uint8Array[] = []
    for await (const chunk of await files.open(value)) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), mediaType, filename: plainFileName(filename) ?? field }
  }
  const { content, mediaType, name } = readDataUrl(String(value))
  const text = content.replaceAll(/\s/g, '')
  if (!mayBeBase64(text, 'any'))
    throw fail('bad_request', {
      message: `${field} must be the bytes of the file in base64 or as a data URL, or the file_id of a file of yours.`,
    })
  return { bytes: Buffer.from(text, 'base64'), mediaType, filename: plainFileName(name) ?? field }
}

interface WrittenFile {
  readonly content: string
  readonly mediaType: string | undefined
  /** Empty where none is given. */
  readonly name: string
}

/** What stands before the content of a data URL. A regular expression over a whole file would fail. */
const headCharactersMax = 22_000

/** `data:image/png;name=cat.png;base64,…`, with the name percent-encoded. Any other text is the content itself. */
function readDataUrl(text: string): WrittenFile {
  const [head, type, parameters = ''] =
    /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]{0,2000}){0,10});base64,/i.exec(
      text.slice(0, headCharactersMax),
    ) ?? []
  if (head === undefined) return { content: text, mediaType: undefined, name: '' }
  const [, name = ''] = /;name=([^;]*)/i.exec(parameters) ?? []
  return { content: text.slice(head.length), mediaType: type, name: decoded(name) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
