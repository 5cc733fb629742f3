// The files of the built console, in memory: they are few, and their names change with their content.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type StoredAnswer, storeBytes } from '../doors/stored-answer.ts'

export interface BuiltFile extends StoredAnswer {
  /** The name holds a hash of the content, so the file never changes. */
  readonly isHashed: boolean
}

export interface BuiltConsole {
  readonly page: BuiltFile
  /** By path below /console. */
  readonly files: ReadonlyMap<string, BuiltFile>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Undefined if there is no built console in the folder. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, BuiltFile>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(folder, file).replaceAll(path.sep, '/')
    const type = mediaTypes[path.extname(name)]
    if (type === undefined) continue
    const stored = storeBytes(await readFile(file), type)
    files.set(name, { ...stored, isHashed: name.startsWith('assets/') })
  }
  const page = files.get('index.html')
  files.delete('index.html')
  return page === undefined ? undefined : { page, files }
}
