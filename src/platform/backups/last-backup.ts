// When the data was last backed up. `tollway backup` notes it in the data folder, and PostgreSQL knows when it last
// archived a part of its log. What pg_dump makes leaves no trace.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../database/database.ts'

export interface LastBackup {
  readonly at: Date
  /** Undefined where it is a part of a log. */
  readonly file?: string
}

const fileOf = (dataDir: string) => path.join(dataDir, 'last-backup.json')

export const noteBackup = (dataDir: string, { at, file }: LastBackup): Promise<void> =>
  writeFile(fileOf(dataDir), `${JSON.stringify({ at, file })}\n`)

export function createLastBackup({
  database,
  dataDir,
}: {
  readonly database: Pick<Database, 'query'>
  readonly dataDir: string
}): () => Promise<LastBackup | undefined> {
  async function ofLog(): Promise<LastBackup | undefined> {
    const [row] = await database.query<{ at: Date | null }>(
      'select last_archived_time as at from pg_stat_archiver',
    )
    return row?.at ? { at: row.at } : undefined
  }
  return async () => (await noted(dataDir)) ?? (await ofLog())
}

/** Undefined without a note, and for one that is damaged. */
async function noted(dataDir: string): Promise<LastBackup | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '{}')
  try {
    const { at, file }: { at?: string; file?: string } = JSON.parse(text)
    const date = new Date(at ?? Number.NaN)
    return Number.isNaN(date.getTime()) ? undefined : { at: date, ...(file && { file }) }
  } catch {
    return undefined
  }
}
