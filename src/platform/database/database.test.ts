import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { isTransient, openDatabase } from './database.ts'

function reported(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('reported', 0, 'error'), { code })
}

test.each([
  ['a socket that was closed', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
  ['a socket that was reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a server that was told to end', reported('57P01')],
  ['a server that starts', reported('57P03')],
  ['a session that idled too long', reported('57P05')],
  ['a server without places', reported('53300')],
  ['a disk that is full', reported('53100')],
  ['a server without memory', reported('53200')],
  ['a database that is read-only', reported('25006')],
  ['a disk that fails', reported('58030')],
  ['a statement that was cancelled', reported('57014')],
  ['a lock that was waited for too long', reported('55P03')],
  ['a deadlock', reported('40P01')],
])('%s is trouble that passes', (_what, error) => {
  expect(isTransient(error)).toBe(true)
})

test.each([
  ['22P02', 'a value it cannot read'],
  ['23514', 'a check'],
  ['42501', 'a right that is missing'],
  ['58P01', 'a file that is missing'],
  ['XX001', 'a page that is damaged'],
])('%s, %s, is what the database has against a statement', (code) => {
  expect(isTransient(reported(code))).toBe(false)
})

test('a connection that the server ends between two statements fails its transaction, and nothing else', async () => {
  const database = openDatabase({ connectionString: await createTestDatabase(), log: silentLog })
  onTestFinished(database.close)
  const work = database.transaction(async (client) => {
    const ended = new Promise((resolve) => client.once('end', resolve))
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await database.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await ended
    await client.query('select 1')
  })
  await expect(work).rejects.toMatchObject({ code: 'unavailable' })
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})
