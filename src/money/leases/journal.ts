// Calls that ended on a lease, on file until the books have them. Writing to a file costs less than asking the
// database, and the file survives the end of the process, if not of the machine.
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { readdir, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '#core/ports.ts'

/** A file of calls, some of them already in the books. */
export interface Segment {
  readonly file: string
  readonly descriptor: number
  bytes: number
  unwritten: number
}

export interface LeaseJournal {
  /** Puts a call, as a line of JSON, on file at the end of this turn of the event loop. Never rejects. */
  append(line: string): Promise<Segment | undefined>
  /** The books have one more of its calls. */
  written(segment: Segment): void
  close(): void
}

/** Past this size the next file begins, so that the first can be removed once all of it is in the books. */
const segmentBytesMax = 8_000_000

export function openLeaseJournal({
  directory,
  gatewayNumber,
  log,
}: {
  directory: string
  gatewayNumber: number
  log: Log
}): LeaseJournal {
  let count = 0
  let current: Segment | undefined
  let gathering: { lines: string[]; filed: Promise<Segment | undefined> } | undefined

  function open(): Segment {
    count += 1
    mkdirSync(directory, { recursive: true })
    const file = path.join(directory, `${gatewayNumber}-${count}.jsonl`)
    return { file, descriptor: openSync(file, 'a', 0o600), bytes: 0, unwritten: 0 }
  }

  function file(lines: readonly string[]): Segment | undefined {
    try {
      if (current === undefined || current.bytes > segmentBytesMax) current = open()
      current.bytes += writeWhole(current, `${lines.join('\n')}\n`)
      current.unwritten += lines.length
      return current
    } catch (error) {
      log.error(
        { err: error },
        'Ended calls could not be written to their file. If this process stops before the books have them, they are not charged.',
      )
      return undefined
    }
  }

  function remove({ descriptor, file }: Segment) {
    closeSync(descriptor)
    rmSync(file, { force: true })
  }

  return {
    append(line) {
      if (gathering === undefined) {
        const lines: string[] = []
        const filed = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          gathering = undefined
          return file(lines)
        })
        gathering = { lines, filed }
      }
      gathering.lines.push(line)
      return gathering.filed
    },
    written(segment) {
      segment.unwritten -= 1
      if (segment.unwritten > 0) return
      if (segment !== current) return remove(segment)
      ftruncateSync(segment.descriptor)
      segment.bytes = 0
    },
    close() {
      if (current?.unwritten === 0) remove(current)
      current = undefined
    },
  }
}

/** A full disk may take only the beginning. The truncated line would spoil the next one, so it is removed again. */
function writeWhole({ descriptor, bytes }: Segment, text: string): number {
  const data = Buffer.from(text)
  try {
    for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done)
    return data.length
  } catch (error) {
    ftruncateSync(descriptor, bytes)
    throw error
  }
}

/** A file that a gateway left. */
export interface LeftJournal {
  readonly gatewayNumber: number
  /** The calls in it, except a truncated last line. */
  readLines(): Promise<readonly string[]>
  remove(): Promise<void>
}

export async function listLeaseJournals(directory: string): Promise<readonly LeftJournal[]> {
  const names = await readdir(directory).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => /^\d+-\d+\.jsonl$/.test(name))
  return files.map((name) => {
    const file = path.join(directory, name)
    return {
      gatewayNumber: Number.parseInt(name, 10),
      readLines: async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1),
      remove: () => unlink(file),
    }
  })
}
