// Files that reach a stub vendor by its own route.
import { writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { StubRequest } from './stub-vendor.ts'

/** The fields of a form. The file is an array of its name and its content. */
export async function readForm({ headers, bytes }: StubRequest) {
  const type = { 'content-type': String(headers['content-type']) }
  const form = await new Response(new Uint8Array(bytes), { headers: type }).formData()
  const fields = [...form].map(async ([name, value]) => {
    const shown = typeof value === 'string' ? value : [value.name, await readAll(value)]
    return [name, shown] as const
  })
  return new Map(await Promise.all(fields))
}

const readAll = async (file: Blob) => Buffer.from(await file.arrayBuffer())

/** The content of the file in a form that has no other file. */
export async function fileIn(request: StubRequest): Promise<Buffer> {
  const file = (await readForm(request)).get('file')
  if (!Array.isArray(file) || !Buffer.isBuffer(file[1])) throw new Error('A file is expected.')
  return file[1]
}

/** The only file of a compressed tar file. */
export function readTar({ bytes }: StubRequest) {
  const tar = gunzipSync(bytes)
  const field = (start: number, length: number) =>
    tar.toString('latin1', start, start + length).replace(/[\0 ]+$/, '')
  const size = Number.parseInt(field(124, 12), 8)
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  const sumField = tar.subarray(148, 156)
  const spaces = 8 * 0x20 - sumField.reduce((all, byte) => all + byte, 0)
  if (Number.parseInt(field(148, 8), 8) !== sum + spaces) throw new Error('The sum is wrong.')
  return {
    name: field(0, 100),
    mode: Number.parseInt(field(100, 8), 8),
    type: field(156, 1),
    format: field(257, 8),
    content: tar.subarray(512, 512 + size),
    restIsEmpty: tar.subarray(512 + size).every((byte) => byte === 0),
    blocks: tar.length / 512,
  }
}

/** The boxes of stubs share the folder /tmp of this machine. */
export async function writeTemporary(place: unknown, content: Buffer): Promise<void> {
  if (!/^\/tmp\/\.tollway-[0-9a-f-]{36}$/.test(String(place)))
    throw new Error(`An upload to ${place} was not expected.`)
  await writeFile(String(place), content)
}
