// Forms with files: what a caller sends, and what an upstream gets.
import { createHash, randomBytes } from 'node:crypto'
import { type ChatFields, invalid } from '../llm/conversation/fields.ts'

export interface FormFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

/** A form as its fields, each with all of its values. Names lose a trailing `[]`. */
export interface SentForm {
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, readonly FormFile[]>
}

/** Whether a body is a form and not JSON. */
export const isForm = (body: unknown): body is SentForm =>
  typeof body === 'object' && body !== null && 'files' in body && body.files instanceof Map

/** The texts of a form as the fields of a JSON body: those of `lists` are lists, those of `numbers` numbers. */
export function fieldsOfForm(
  { texts }: SentForm,
  { lists = [], numbers = [] }: { lists?: readonly string[]; numbers?: readonly string[] },
): ChatFields {
  return Object.fromEntries(
    [...texts].map(([name, values]) => {
      if (lists.includes(name)) return [name, values]
      const [value = '', ...others] = values
      if (others.length > 0) throw invalid(name, `${name} is there more than once.`)
      return [name, numbers.includes(name) ? readNumberText(name, value) : readTruth(value)]
    }),
  )
}

function readNumberText(name: string, text: string): number {
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) throw invalid(name, `${name} must be a number.`)
  return Number(text)
}

const readTruth = (text: string) => (text === 'true' ? true : text === 'false' ? false : text)

/** What files mean for a repetition with the same idempotency key. */
export const digestFile = ({ bytes }: FormFile): string =>
  createHash('sha256').update(bytes).digest('base64url')

/** A `multipart/form-data` body. */
export function writeForm(
  fields: Readonly<Record<string, unknown>>,
  files: readonly (readonly [name: string, file: FormFile])[],
): { readonly type: string; readonly body: Buffer } {
  const boundary = `----form-${randomBytes(16).toString('hex')}`
  const parts: Buffer[] = []
  const open = (disposition: string, type?: string) =>
    parts.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
      ),
    )
  const lineEnd = Buffer.from('\r\n')
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) {
      open(`name="${Array.isArray(value) ? `${name}[]` : name}"`)
      parts.push(Buffer.from(String(each)), lineEnd)
    }
  for (const [name, file] of files) {
    open(`name="${name}"; filename="${plainName(file.name)}"`, file.type)
    parts.push(file.bytes, lineEnd)
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) }
}

/** A file name that needs no escapes. Vendors read its ending. */
const plainName = (name: string) => name.replaceAll(/[^\w.-]/g, '_').slice(-100) || 'file'

const mediaType = /^[a-z]+\/[\w.+-]{1,60}$/

/** The media type without parameters, or the one of unknown bytes. */
export const plainType = (type: string) => {
  const [plain = ''] = type.split(';')
  return mediaType.test(plain) ? plain : 'application/octet-stream'
}
