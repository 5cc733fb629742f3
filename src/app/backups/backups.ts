// Backups of the embedded database, and when the data was last backed up by any means.
import path from 'node:path'
import { verifyBooks } from '#money/ledger/verification.ts'
import { type BooksFound, createBackups } from '#platform/backups/backups.ts'
import { createLastBackup } from '#platform/backups/last-backup.ts'
import type { Database } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import type { AppContext } from '../context.ts'
import type { Money } from '../money.ts'
import { schema } from '../schema.ts'
import type { Store } from '../store.ts'

const ownFolder = 'backups'

export function openBackups(
  {
    config,
    version,
    clock,
    log,
    onClose,
  }: Pick<AppContext, 'version' | 'clock' | 'log' | 'onClose'> & {
    readonly config: Pick<AppContext['config'], 'DATA_DIR' | 'BACKUPS_DIR'>
  },
  { database, isEmbedded }: Pick<Store, 'database' | 'isEmbedded'>,
  { ledger }: Pick<Money, 'ledger'>,
) {
  const dataDir = path.resolve(config.DATA_DIR)
  const last = createLastBackup({ database, dataDir })
  if (!isEmbedded) return { last, made: undefined }
  const folder = path.resolve(config.BACKUPS_DIR ?? path.join(dataDir, ownFolder))
  const below = path.relative(dataDir, folder)
  if (below !== ownFolder && !below.startsWith('..') && !path.isAbsolute(below))
    throw new Error(
      'BACKUPS_DIR is inside DATA_DIR, so each backup would hold those before it. Choose a folder outside.',
    )
  const made = createBackups({
    database,
    gatewayNumber: ledger.gatewayNumber,
    dataDir,
    folder,
    version,
    look: lookIntoBooks,
    clock,
    log,
  })
  onClose(made.close)
  return { last, made }
}

export type BackupRoom = ReturnType<typeof openBackups>

/** As the start of a gateway on it does, and then as the operator who asks for a check of the books. */
async function lookIntoBooks(restored: Database): Promise<BooksFound> {
  const [found] = await restored.query<{ hasBooks: boolean }>(
    `select to_regclass('account') is not null as "hasBooks"`,
  )
  if (!found?.hasBooks) throw new Error('The backup has no books in it.')
  await applySchema(restored, schema)
  const { ok, accounts, postings, problems } = await verifyBooks(restored)
  const [first] = problems
  if (ok || first === undefined) return { accounts, postings }
  const { rule, subject } = first
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  return {
    accounts,
    postings,
    problem: `The books in it do not add up: ${rule} of ${subject}${more}. Check the books of this gateway too.`,
  }
}
