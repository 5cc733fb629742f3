import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { isTransient, openDatabase } from './database.ts'

function reported(code: string, message = 'reported'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code })
}

test.each([
  ['a closed socket', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
  ['a reset socket', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a server shutting down', reported('57P01')],
  ['a server starting up', reported('57P03')],
  ['a session past its idle limit', reported('57P05')],
  ['a server without free connections', reported('53300')],
  ['a full disk', reported('53100')],
  ['a server without memory', reported('53200')],
  ['a read-only database', reported('25006')],
  ['a failing disk', reported('58030')],
  ['a cancelled statement', reported('57014')],
  ['a lock timeout', reported('55P03')],
  ['a deadlock', reported('40P01')],
  ['a function that is replaced', reported('XX000', 'cache lookup failed for function 18111')],
  ['a type that is replaced', reported('XX000', 'cache lookup failed for type 18061')],
])('%s is passing trouble', (_what, error) => {
  expect(isTransient(error)).toBe(true)
})

test.each([
  ['22P02', 'a malformed value'],
  ['23514', 'a violated check'],
  ['42501', 'a missing right'],
  ['58P01', 'a missing file'],
  ['XX000', 'a defect of the server'],
  ['XX001', 'a damaged page'],
])('%s, %s, is an error of the statement', (code) => {
  expect(isTransient(reported(code))).toBe(false)
})

test('a connection that the server ends between two statements fails only its transaction', async () => {
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

test('reads that are asked together leave as one statement, and have the rows of each', async () => {
  const connectionString = await createTestDatabase()
  const database = openDatabase({ connectionString, log: silentLog })
  onTestFinished(database.close)
  await database.query(
    `insert into price_override (action, micros) values ('a/b', 9007199254740991), ('c/d', 2)`,
  )
  const prices = {
    name: 'prices',
    text: 'select action, micros, factor from price_override order by action desc',
  }
  // The transaction of a statement tells one from another.
  const transaction = { name: 'transaction', text: 'select pg_current_xact_id()::text as id' }
  const none = { name: 'none', text: 'select name from sold_api' }
  const reads = [prices, transaction, none, transaction]
  const [rows, one, empty, other] = await Promise.all(
    reads.map((read) => database.queryTogether(read)),
  )
  expect(rows).toEqual(await database.query(prices))
  expect(rows).toHaveLength(2)
  expect(empty).toEqual([])
  expect(one).toEqual(other)
  expect(await database.queryTogether(transaction)).not.toEqual(one)

  const wrong = { name: 'wrong', text: 'select nothing from price_override' }
  const both = await Promise.allSettled([prices, wrong].map((read) => database.queryTogether(read)))
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await database.queryTogether(prices)).toEqual(rows)
})
