import pg from 'pg'
import { expect, test } from 'vitest'
import { isConnectionLoss } from './database.ts'

function reported(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('reported', 0, 'error'), { code })
}

test.each([
  ['a socket that was closed', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
  ['a socket that was reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a server that was told to end', reported('57P01')],
  ['a server that starts', reported('57P03')],
  ['a server without places', reported('53300')],
])('%s is a connection that is lost', (_what, error) => {
  expect(isConnectionLoss(error)).toBe(true)
})

test.each([
  ['22P02', 'a value it cannot read'],
  ['23514', 'a check'],
  ['40P01', 'a deadlock'],
])('%s, %s, is what the database has against a statement', (code) => {
  expect(isConnectionLoss(reported(code))).toBe(false)
})
