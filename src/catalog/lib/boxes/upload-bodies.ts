// Bodies in which vendors take a file.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpRequest } from '#core/ports.ts'

type Body = Required<Pick<HttpRequest, 'headers' | 'bytes'>>

/** A form with the file in its field `file`. */
export async function formOf(
  file: { readonly name: string; readonly bytes: Uint8Array },
  fields: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file.bytes)]), file.name)
  const encoded = new Response(form)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
}

const blockBytes = 512
/** Fields of a header by their offset, as POSIX.1-1988 (ustar) lays them out. */
const at = {
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  kind: 257,
}
const nameBytesMax = 100

/** A compressed tar file with one file. `name` has up to 100 ASCII characters. */
export async function tarOf({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<Body> {
  if (name.length > nameBytesMax) throw new Error('The name is too long for a tar file.')
  const header = Buffer.alloc(blockBytes)
  const write = (text: string, offset: number) => header.write(text, offset, 'ascii')
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0')
  write(name, 0)
  write(octal(0o644, 7), at.mode)
  for (const field of [at.owner, at.group]) write(octal(0, 7), field)
  write(octal(bytes.length, 11), at.size)
  write(octal(0, 11), at.time)
  write('0', at.type)
  write('ustar\0' + '00', at.kind)
  // The sum is that of a header with spaces in its place.
  write(' '.repeat(8), at.sum)
  write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0`,
    at.sum,
  )
  const rest = (blockBytes - (bytes.length % blockBytes)) % blockBytes
  const end = Buffer.alloc(rest + 2 * blockBytes)
  return {
    headers: { 'content-type': 'application/gzip' },
    bytes: await promisify(gzip)(Buffer.concat([header, bytes, end])),
  }
}
