import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** What a server writes into `postmaster.pid` for others to read. */
export interface PidFile {
  readonly file: string
  readonly pid: number
  readonly isReady: boolean
  /** Differs from one server to the next, even when the second got the process id of the first. */
  readonly text: string
}

const statusLine = 7

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const file = path.join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const isReady = lines[statusLine]?.trim() === 'ready'
  return { file, pid: Number.parseInt(lines[0] ?? '', 10), isReady, text }
}
