// Verbs about the files that the account stores.

import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { savedName, shownName } from '@tollway/client'
import { readLocal } from '../file-fields.ts'
import { wholeNumber } from '../meant/amounts.ts'
import { listing } from '../render.ts'
import { errorOf, UsageError } from '../usage-error.ts'
import { defineVerb } from '../verb.ts'

const pageRowsMax = 100
const rowsDefault = 20

interface StoredFile {
  readonly file_id: string
  readonly filename: string
  readonly size: number
  readonly status: string
  readonly created_at: string
}

const fileOperand = {
  about: 'The id of the file, from `tollway files`.',
  idOf: 'a file',
  listedBy: 'files',
} as const

export const files = defineVerb({
  name: 'files',
  summary: 'List your stored files, the newest first.',
  options: {
    tag: { about: 'Files with this tag only.', value: 'TAG', many: true },
    limit: { about: 'How many to list. Default 20.', value: 'COUNT' },
  },
  async run({ options }, { connection, output }) {
    const rowsMax = wholeNumber('limit', options.limit, 1) ?? rowsDefault
    const rows: StoredFile[] = []
    const input = {
      limit: Math.min(pageRowsMax, rowsMax),
      ...(options.tag.length > 0 && { tags: options.tag }),
    }
    for await (const { data } of connection.tollway.pages('files/list', input)) {
      rows.push(...(data as { files: StoredFile[] }).files)
      if (rows.length >= rowsMax) break
    }
    const listed = rows.slice(0, rowsMax)
    output.print({ files: listed }, () =>
      listing(
        ['ID', 'BYTES', 'STATUS', 'STORED', 'NAME'],
        listed.map(({ file_id, size, status, created_at, filename }) => [
          file_id,
          String(size),
          status,
          created_at,
          shownName(filename),
        ]),
        'No files are stored.',
      ),
    )
  },
})

export const upload = defineVerb({
  name: 'files upload',
  summary: 'Store files, for 1¢ each. Prints their ids.',
  operands: { path: { about: 'A file of this machine.', kind: 'many', completes: 'file' } },
  options: { tag: { about: 'A word to find the file by.', value: 'TAG', many: true } },
  examples: ['files upload report.pdf --tag may'],
  async run({ operands, options }, { connection, output, signal }) {
    const stored: StoredFile[] = []
    // All are read before the first is paid for.
    const contents = await Promise.all(operands.path.map(readLocal))
    for (const [at, bytes] of contents.entries()) {
      const filename = basename(operands.path[at] ?? '')
      const tags = options.tag.length > 0 ? { tags: [...options.tag] } : {}
      stored.push(await connection.tollway.files.upload(bytes, { filename, ...tags, signal }))
    }
    output.print({ files: stored }, () => stored.map(({ file_id }) => file_id).join('\n'))
  },
})

export const download = defineVerb({
  name: 'files download',
  summary: 'Save a stored file, or print it.',
  operands: {
    id: fileOperand,
    path: {
      about:
        'Where to save it: a path, a folder, or `-` for standard output. Default: its own name.',
      kind: 'optional',
      completes: 'file',
    },
  },
  examples: ['files download 0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11 report.pdf'],
  async run({ operands }, { connection: { tollway }, output, signal }) {
    const { data } = await tollway.run('files/get', { file_id: operands.id }, { signal })
    const filename = String(data.filename)
    const bytes = await (await tollway.files.download(operands.id, { signal })).bytes()
    if (operands.path === '-') return output.write(bytes)
    const file = await placeFor(operands.path, filename)
    await writeNew(file, bytes)
    output.print({ saved: file }, () => file)
  },
})

/** A name that a caller chose must not lead out of the folder. */
async function placeFor(wanted: string | undefined, filename: string): Promise<string> {
  const name = basename(savedName(filename).replaceAll('\\', '/')) || 'file'
  if (wanted === undefined) return name
  const isFolder =
    wanted.endsWith('/') || (await stat(wanted).catch(() => undefined))?.isDirectory()
  if (!isFolder) return wanted
  await mkdir(wanted, { recursive: true })
  return join(wanted, name)
}

async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx' })
  } catch (error) {
    const { code, message } = errorOf(error)
    throw new UsageError(
      code === 'EEXIST'
        ? `${file} exists. Give another path.`
        : `${file} cannot be written: ${message}`,
    )
  }
}

export const deleteFile = defineVerb({
  name: 'files delete',
  summary: 'Remove stored files, and free their room.',
  operands: { id: { ...fileOperand, kind: 'many' } },
  async run({ operands }, { connection, output, signal }) {
    for (const fileId of operands.id)
      await connection.tollway.run('files/delete', { file_id: fileId }, { signal })
    output.print({ deleted: operands.id }, (done) =>
      done.deleted.map((id) => `Deleted ${id}`).join('\n'),
    )
  },
})
