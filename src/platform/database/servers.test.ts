import { expect, test } from 'vitest'
import { readServers } from './servers.ts'

test('one server keeps its address, and need not take writes', () => {
  const address = 'postgresql://tollway:p%40ss@db:5432/tollway?sslmode=require'
  expect(readServers(address)).toEqual({ addresses: [address], mustTakeWrites: false })
})

test('several servers get an address each, and one must take writes', () => {
  expect(readServers('postgres://a:b@one:5432,two:5433/t?sslmode=require')).toEqual({
    addresses: [
      'postgres://a:b@one:5432/t?sslmode=require',
      'postgres://a:b@two:5433/t?sslmode=require',
    ],
    mustTakeWrites: true,
  })
})

test.each([
  ['?target_session_attrs=read-write', '', true],
  ['?target_session_attrs=primary&a=1', '?a=1', true],
  ['?a=1&target_session_attrs=any', '?a=1', false],
  ['?a=1&target_session_attrs=read-write&b=2', '?a=1&b=2', true],
])('target_session_attrs is read and left out: %s', (query, left, mustTakeWrites) => {
  expect(readServers(`postgresql://a@one,[::1]:5433/t${query}`)).toEqual({
    addresses: [`postgresql://a@one/t${left}`, `postgresql://a@[::1]:5433/t${left}`],
    mustTakeWrites,
  })
})
