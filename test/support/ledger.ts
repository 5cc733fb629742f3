import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { createAccounts } from '#accounts/accounts.ts'
import { createKeys } from '#accounts/keys/keys.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import { addLeases } from '#money/leases/leases.ts'
import { createLedger, type Ledger } from '#money/ledger/ledger.ts'
import type { Hold } from '#money/ledger/operations.ts'
import { systemClock } from '#platform/clock.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type AtEnd, createTestDatabase } from './database.ts'
import { silentLog as log } from './silent-log.ts'

/** A ledger, by default on its own database. It closes at the end of the test, or of what shares it. */
export async function openLedger(
  options: {
    connectionString?: string
    journalDirectory?: string
    inFlightMax?: number
    inferenceDayMicrosMax?: number
    unchargedDayMicrosMax?: number
    clock?: Clock
  } = {},
  atEnd: AtEnd = onTestFinished,
) {
  const connectionString = options.connectionString ?? (await createTestDatabase(atEnd))
  const database = openDatabase({ connectionString, log })
  const journalDirectory = options.journalDirectory ?? (await makeDataDirectory())
  const settings = {
    journalDirectory,
    database,
    clock: options.clock ?? systemClock,
    log,
    inFlightMax: options.inFlightMax ?? 1_000,
    ...(options.inferenceDayMicrosMax === undefined
      ? {}
      : { inferenceDayMicrosMax: options.inferenceDayMicrosMax }),
    ...(options.unchargedDayMicrosMax === undefined
      ? {}
      : { unchargedDayMicrosMax: options.unchargedDayMicrosMax }),
  }
  const ledger = await addLeases(await createLedger(settings), settings)
  atEnd(async () => {
    await ledger.close()
    await database.close()
    await rm(journalDirectory, { recursive: true, force: true })
  })
  return { connectionString, journalDirectory, database, ledger }
}

export async function openAccount(database: Database, ledger: Ledger, micros: number) {
  const { accountId } = await createAccounts({ database, clock: systemClock }).create()
  const { key } = await createKeys({ database, clock: systemClock }).create({ accountId })
  if (micros > 0) await ledger.credit(accountId, micros, 'test')
  const holdOf = (amount: number, more: Partial<Hold> = {}): Hold => ({
    callId: uuidv7(Date.now()),
    accountId,
    keyId: key.id,
    action: 'test/echo',
    micros: amount,
    requestDigest: Buffer.from('digest'),
    lifetimeMs: 60_000,
    ...more,
  })
  const hold = (amount: number, more?: Partial<Hold>) => ledger.hold(holdOf(amount, more))
  const settle = (callId: string, charged: number) =>
    ledger.settle({ callId, accountId, state: 'settled', charged, output: '{}' })
  const balance = async () => {
    const [row] = await database.query<{ available: number; held: number }>(
      'select available, held from balance where account_id = $1',
      [accountId],
    )
    return row
  }
  return { accountId, keyId: key.id, holdOf, hold, settle, balance }
}
