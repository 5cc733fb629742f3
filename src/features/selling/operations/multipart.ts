// A body of the type multipart/form-data (RFC 7578).
import { createHash } from 'node:crypto'

export interface PartValue {
  readonly name: string
  readonly bytes: Uint8Array
  /** Only of files. */
  readonly filename?: string
  readonly mediaType?: string | undefined
  /** As the description asks for it. */
  readonly contentType: string | undefined
}

export function writeMultipart(parts: readonly PartValue[]): {
  readonly type: string
  readonly body: Uint8Array
} {
  // Of the content, so that the same input makes the same request, and no content can hold it by chance.
  const hash = createHash('sha256')
  for (const { name, bytes } of parts) hash.update(`${name} ${bytes.length} `).update(bytes)
  const boundary = `part-${hash.digest('hex').slice(0, 40)}`
  const chunks = parts.flatMap(({ name, bytes, filename, mediaType, contentType }) => {
    const type = contentType ?? mediaType
    const lines = [
      `--${boundary}`,
      `content-disposition: form-data; name="${quote(name)}"${filename === undefined ? '' : `; filename="${quote(filename)}"`}`,
      ...(type === undefined ? [] : [`content-type: ${type.replace(/[\r\n]/g, '')}`]),
    ]
    return [Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

/** As browsers do it. */
const quote = (text: string) =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
