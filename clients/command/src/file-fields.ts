// Fields that are taken from files, and files that are taken out of answers.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { savedName, TollwayError } from '@tollway/client'
import type { Connection } from './connection.ts'
import { requireField, type Schema, typesOf } from './fields.ts'
import { errorOf, UsageError } from './usage-error.ts'

/** A field that takes the id of a stored file. */
const takesFileId = (name: string) => /(^|_)file_ids?$/.test(name)

const takesBase64 = ({ contentEncoding, description = '' }: Schema) =>
  contentEncoding === 'base64' || /\bbase64\b/i.test(description)

/** A field of a sold API, which is told the name of the file too. */
const takesDataUrl = ({ description = '' }: Schema) =>
  description.includes('data URL with its name')

/**
 * `file_id=report.pdf` stores the file and becomes its id, `text=notes.txt` becomes its text, and a field that takes
 * base64 or an object gets that. Throws UsageError, TollwayError.
 */
export async function readFileField(
  assignment: string,
  schema: Schema,
  { action, connection }: { readonly action: string; readonly connection: Connection },
): Promise<readonly [name: string, value: unknown]> {
  const [, written, file] = /^([\w-]+)=(.+)$/s.exec(assignment) ?? []
  if (written === undefined || file === undefined)
    throw new UsageError(
      `--file takes FIELD=PATH, such as --file ${fieldForFile(schema)}=${assignment}, and not "${assignment}".`,
    )
  const name = requireField(schema, written, { action })
  const field = schema.properties?.[name] ?? {}
  const bytes = await readLocal(file)
  if (takesFileId(name)) {
    const { file_id } = await connection.tollway.files.upload(bytes, { filename: basename(file) })
    return [name, typesOf(field).has('array') ? [file_id] : file_id]
  }
  if (takesBase64(field)) {
    const head = takesDataUrl(field)
      ? `data:;name=${encodeURIComponent(basename(file))};base64,`
      : ''
    return [name, head + Buffer.from(bytes).toString('base64')]
  }
  const text = new TextDecoder().decode(bytes)
  return [name, typesOf(field).has('string') ? text : parse(text, file)]
}

/** Throws UsageError. */
export async function readLocal(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(file))
  } catch (error) {
    throw new UsageError(whyUnread(file, errorOf(error)))
  }
}

function whyUnread(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT')
    return `There is no file ${file}${isAbsolute(file) ? '' : ` in ${process.cwd()}`}. Give the path of one.`
  if (code === 'EISDIR') return `${file} is a folder. Give a file.`
  return `${file} cannot be read: ${code === 'EACCES' ? 'you may not read it.' : message}`
}

/** The field that a file is most likely for. */
function fieldForFile({ properties = {} }: Schema): string {
  const names = Object.keys(properties)
  return names.find(takesFileId) ?? names[0] ?? 'FIELD'
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${errorOf(error).message}`)
  }
}

type Found = Readonly<Record<string, unknown>>

/** Every object in an answer. */
function* objectsIn(value: unknown): Generator<Found> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Found
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** File systems take 255 bytes, and a copy has a number too. */
const nameBytesMax = 240

/** Never cut within a character. */
const withinBytes = (text: string, bytesMax: number) =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytesMax)).replace(/\uFFFD+$/, '')

/** Of the gateway, for one answer. */
const storedFilesMax = 100
const addressCharactersMax = 300

interface SavedFiles {
  /** Their paths. */
  readonly saved: readonly string[]
  /** What was left out, and why, in sentences. */
  readonly unsaved: readonly string[]
}

/**
 * Writes the files of an answer into a folder: those that the gateway stores, and those in base64. An address is not
 * fetched, because a seller may name one of the caller's own network.
 */
export async function saveFiles(
  answer: unknown,
  folder: string,
  { tollway }: Pick<Connection, 'tollway'>,
): Promise<SavedFiles> {
  await mkdir(folder, { recursive: true })
  const saved: string[] = []
  const unsaved: string[] = []
  async function save(name: string, bytes: Uint8Array) {
    const [, whole = name, ending = ''] =
      /^(.+?)(\.[^.]{1,20})?$/s.exec(basename(savedName(name))) ?? []
    const stem = withinBytes(whole, nameBytesMax - Buffer.byteLength(ending))
    let file = join(folder, `${stem}${ending}`)
    // Names come from callers and vendors, so they may be equal, and must not replace what is there.
    for (let copy = 2; !(await isNew(file, bytes)); copy++)
      file = join(folder, `${stem}-${copy}${ending}`)
    saved.push(file)
  }
  let storedFiles = 0
  /** A seller may name a file that does not exist, and the answer is paid for. */
  async function saveStored(fileId: string) {
    storedFiles += 1
    if (storedFiles > storedFilesMax) return
    try {
      const { data } = await tollway.run('files/get', { file_id: fileId })
      const { filename } = data as { filename: string }
      await save(filename, await (await tollway.files.download(fileId)).bytes())
    } catch (error) {
      if (!(error instanceof TollwayError)) throw error
      unsaved.push(`The file ${fileId} was not saved: ${error.message}`)
    }
  }
  for (const found of objectsIn(answer)) {
    const { file_id, path, url, media_type } = found
    const fileId = textOf(file_id)
    const address = textOf(url)
    if (fileId !== undefined) await saveStored(fileId)
    else if (address !== undefined && textOf(media_type) !== undefined)
      unsaved.push(
        `${address.slice(0, addressCharactersMax)} was not saved: only files of the gateway are. Fetch it yourself if you trust it. Where the action takes \`store\`, ask with it, and the gateway keeps the file.`,
      )
    else if (textOf(path) !== undefined && textOf(found.content) !== undefined)
      await save(String(path), Buffer.from(String(found.content), 'base64'))
    const content = contentOf(found)
    if (content !== undefined) await save(content.name, content.bytes)
    for (const [name, value] of Object.entries(found)) {
      const encoded = name.endsWith('_base64') ? textOf(value) : undefined
      if (encoded !== undefined && fileId === undefined)
        await save(
          `${name.slice(0, -'_base64'.length)}${endingOf(textOf(found.content_type))}`,
          Buffer.from(encoded, 'base64'),
        )
    }
  }
  if (storedFiles > storedFilesMax)
    unsaved.push(
      `${storedFiles - storedFilesMax} files were not saved: at most ${storedFilesMax} of one answer are. \`tollway files download ID\` saves one.`,
    )
  return { saved, unsaved }
}

interface NamedContent {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What an imported operation answers with that is not JSON, and what a tool of an MCP server shows. */
function contentOf(found: Found): NamedContent | undefined {
  const type = textOf(found.content_type)
  const base64 = textOf(found.base64)
  const named = textOf(found.filename)
  if (type !== undefined && base64 !== undefined)
    return { name: named ?? `answer${plainEndingOf(type)}`, bytes: Buffer.from(base64, 'base64') }
  const text = textOf(found.text)
  if (type !== undefined && text !== undefined && named !== undefined)
    return { name: named, bytes: Buffer.from(text) }
  const shownType = textOf(found.mimeType)
  const data = textOf(found.data) ?? textOf(found.blob)
  if (shownType === undefined || data === undefined) return undefined
  const name = basename(textOf(found.uri) ?? textOf(found.type) ?? 'answer')
  return {
    name: name.includes('.') ? name : `${name}${plainEndingOf(shownType)}`,
    bytes: Buffer.from(data, 'base64'),
  }
}

const usualEndings: ReadonlyMap<string, string> = new Map([
  ['jpeg', '.jpg'],
  ['plain', '.txt'],
  ['mpeg', '.mp3'],
])

/** `.bin` where the type does not say how such files end. */
function plainEndingOf(mediaType: string): string {
  const [, subtype = ''] = mediaType.toLowerCase().split(/[/;+]/)
  return usualEndings.get(subtype) ?? (/^[a-z0-9]{2,5}$/.test(subtype) ? `.${subtype}` : '.bin')
}

/** False if a file of this name exists already. */
async function isNew(file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeFile(file, bytes, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorOf(error).code === 'EEXIST') return false
    throw error
  }
}

/** `.webp` of `image/webp`. */
function endingOf(mediaType: string | undefined): string {
  const [, subtype] = mediaType?.split(/[/;+]/) ?? []
  return subtype === undefined ? '' : `.${subtype}`
}
