// Archives of a data folder: compressed tar files that every tar program can read.
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { extract, type Headers, type Pack, pack } from 'tar-stream'
import { syncDirectory } from '../postgres/cluster.ts'
import type { CopyTarget } from '../postgres/copy.ts'
import { errorCodeOf, errorMessageOf } from '../thrown.ts'

export interface ArchiveWriter extends CopyTarget {
  /** The bytes of all files that were added. */
  readonly bytes: () => number
}

const ownerOnly = 0o600
const chunkBytes = 256 * 1024

/** Writes an archive to a new file, which appears once it is whole and on disk. */
export async function writeArchive(
  file: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const incomplete = `${file}.incomplete-${randomUUID()}`
  const tar = pack()
  const archive = openArchive(tar)
  try {
    const written = pipeline(
      tar,
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(incomplete, { flags: 'wx', mode: ownerOnly, flush: true }),
    )
    const filled = fill(archive).then(
      () => tar.finalize(),
      (error) => {
        tar.destroy(error)
        throw error
      },
    )
    await Promise.all([filled, written])
    await rename(incomplete, file)
    await syncDirectory(path.dirname(file))
    return archive.bytes()
  } finally {
    await rm(incomplete, { force: true })
  }
}

function openArchive(tar: Pack): ArchiveWriter {
  let bytes = 0
  const addHeader = (header: Headers, content?: Buffer) =>
    new Promise<void>((resolve, reject) => {
      tar.entry(header, content, (error) => (error ? reject(error) : resolve()))
    })

  async function addFile(place: string, name: string): Promise<void> {
    const handle = await openStill(place)
    if (handle === undefined) return
    try {
      const found = await handle.stat()
      bytes += found.size
      const header = { ...headerOf(found, name), type: 'file', size: found.size } as const
      if (found.size === 0) await addHeader(header, Buffer.alloc(0))
      else await pipeline(Readable.from(exactly(handle, found.size)), tar.entry(header))
    } finally {
      await handle.close()
    }
  }

  return {
    bytes: () => bytes,
    async add(place, name) {
      const found = await lstat(place).catch(() => undefined)
      if (found?.isFile()) await addFile(place, name)
      else if (found?.isDirectory())
        await addHeader({ ...headerOf(found, name), type: 'directory' })
      else if (found?.isSymbolicLink()) {
        const linkname = await readlink(place)
        await addHeader({ ...headerOf(found, name), type: 'symlink', linkname })
      }
    },
    async addText(name, text, like) {
      await addHeader({ ...headerOf(await lstat(like), name), type: 'file' }, Buffer.from(text))
    },
  }
}

const headerOf = ({ mode, uid, gid, mtime }: Stats, name: string): Headers => ({
  name,
  uid,
  gid,
  mtime,
  mode: mode & 0o7777,
})

/** Undefined for a file that was removed meanwhile. */
async function openStill(place: string): Promise<FileHandle | undefined> {
  try {
    return await open(place)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A file may grow or shrink while it is read, but its header has promised a size. */
async function* exactly(handle: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, bytes - at))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    // The rest of a file that became shorter is zeros, as in PostgreSQL's own backups.
    const length = bytesRead === 0 ? chunk.length : bytesRead
    yield chunk.subarray(0, length)
    at += length
  }
}

export interface ArchiveEntry {
  readonly header: Headers
  readonly content: Readable
}

/** Reads the entries in order. Throws an Error that says what is wrong with the file, and what to do. */
export async function readArchive(
  file: string,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const entries = extract()
  const read = pipeline(createReadStream(file), createGunzip(), entries)
  const visited = (async () => {
    for await (const entry of entries) {
      await visit({ header: entry.header, content: entry })
      entry.resume()
    }
  })()
  visited.catch((error) => entries.destroy(error))
  try {
    await Promise.all([visited, read])
  } catch (error) {
    const problem = problemOf(error, file)
    throw problem === undefined ? error : new Error(problem, { cause: error })
  }
}

const otherBackup = 'Try an older backup; the page Backups of the console lists them.'

/** In a sentence or two. Undefined for what has nothing to do with the file. */
function problemOf(error: unknown, file: string): string | undefined {
  const message = errorMessageOf(error)
  const name = path.basename(file)
  const ofFile: Readonly<Record<string, string>> = {
    ENOENT: `There is no file ${file}. Check its name; the page Backups of the console lists the backups.`,
    EISDIR: `${file} is a folder. Name the file of a backup in it, which ends in .tar.gz.`,
    EACCES: `This user may not read ${file}. Run the command as the owner of the file.`,
  }
  // The same codes may come from the place that is written to.
  const isOfFile = message.includes(`'${file}'`) || message.startsWith('EISDIR')
  const code = errorCodeOf(error) ?? ''
  if (isOfFile && Object.hasOwn(ofFile, code)) return ofFile[code]
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data')
    return `${name} is cut short. ${otherBackup}`
  if (message === 'incorrect header check')
    return `${name} is not a backup of \`tollway backup\`, which is a .tar.gz file. Name another file; the page Backups of the console lists the backups.`
  if (code.startsWith('Z_') || /^Invalid tar header/.test(message))
    return `${name} is damaged. ${otherBackup}`
  return undefined
}
