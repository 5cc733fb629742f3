// The files in which MCP clients list their servers: one entry is added or replaced, and the rest stays as it is.
import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from './replace-file.ts'
import { UsageError } from './usage-error.ts'

/** The file may hold the key, so only its owner may read a new one. */
const newFileMode = 0o600

export interface ClientEntry {
  readonly format: string
  readonly at: readonly string[]
  readonly entry: Readonly<Record<string, unknown>>
  /** The entry as it is written into a file of this format that is empty. */
  readonly text: string
}

/** Throws UsageError for a file that is not understood, which then stays as it is. */
export async function writeClientEntry(
  file: string,
  added: ClientEntry,
  { hasKey }: { readonly hasKey: boolean },
): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const after = added.format === 'json' ? withJson(before, added, file) : withToml(before, added)
  await mkdir(path.dirname(file), { recursive: true })
  const mode = await stat(file).then(
    // Others must not read the key, although they could read the file so far.
    (found) => found.mode & (hasKey ? 0o700 : 0o777),
    () => newFileMode,
  )
  await replaceFile(file, after, mode)
}

function withJson(before: string, { at, entry }: ClientEntry, file: string): string {
  const whole = before.trim() === '' ? {} : parseObject(before, file)
  let table = whole
  for (const name of at.slice(0, -1)) {
    const inner = table[name] ?? {}
    if (!isTable(inner)) throw notUnderstood(file)
    table[name] = inner
    table = inner
  }
  table[at.at(-1) ?? ''] = entry
  return `${JSON.stringify(whole, null, indentOf(before))}\n`
}

function parseObject(text: string, file: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isTable(read)) return read
  } catch {
    // It may have comments, which would be lost.
  }
  throw notUnderstood(file)
}

const notUnderstood = (file: string) =>
  new UsageError(
    `${file} is not plain JSON, so it was left as it is. Add the entry by hand: the same verb with \`--print\` shows it.`,
  )

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const indentOf = (text: string) => /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  '

/** A table of TOML ends at the next one. Tables below this one belong to it. */
function withToml(before: string, { at, text }: ClientEntry): string {
  const head = at.join('.')
  let isOurs = false
  const kept = before.split('\n').filter((line) => {
    const table = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '')
    if (table !== undefined) isOurs = table === head || table.startsWith(`${head}.`)
    return !isOurs
  })
  const rest = kept.join('\n').trimEnd()
  return `${rest === '' ? '' : `${rest}\n\n`}${text}\n`
}
