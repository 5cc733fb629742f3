import { expect, test } from 'vitest'
import type { CatalogEntry } from '#core/catalog.ts'
import { mustSettleFirst } from './paid-call.ts'
import { nextStep } from './replay.ts'

test.each([
  ['a call that runs is waited for', 'held', null, false, 'claimed', null, 'wait'],
  ['a call in doubt fails', 'held', 'outcome_unknown', false, 'claimed', null, 'fail'],
  ['an answer that waits for its payment settles it', 'held', null, false, 'owed', 5, 'settle'],
  [
    'a request waits for a call that settles before it runs',
    'held',
    null,
    false,
    'settling',
    null,
    'wait',
  ],
  ['a job settles before it runs', 'held', null, true, 'settling', null, 'settle'],
  ['a job that is paid has a handle', 'held', null, true, 'settled', null, 'answer'],
  ['a dead payment is replaced', 'voided', 'settlement_failed', false, 'dead', 5, 'challenge'],
  ['a call that failed says so', 'voided', 'upstream_error', false, 'released', null, 'answer'],
  ['a call that is paid has its answer', 'settled', null, false, 'settled', 5, 'answer'],
] as const)('%s', (_title, state, error, job, payment, charged, step) => {
  expect(nextStep({ state, error, job }, { state: payment, charged })).toBe(step)
})

test('a payment is settled first when the call is irreversible, is expensive, or may outlast the payment', () => {
  const entry = (irrevocable: boolean, buys: boolean) =>
    ({ action: { irrevocable }, service: { buys } }) as unknown as CatalogEntry
  const now = { settleFirstMicros: 500_000, nowMs: 1_000 }
  const small = { micros: 10_000, expiresAtMs: 60_000 }
  expect(mustSettleFirst(entry(false, false), small, now)).toBe(false)
  expect(mustSettleFirst(entry(true, false), small, now)).toBe(true)
  expect(mustSettleFirst(entry(false, true), small, now)).toBe(true)
  expect(mustSettleFirst(entry(false, false), { ...small, micros: 500_000 }, now)).toBe(true)
  expect(mustSettleFirst(entry(false, false), { ...small, expiresAtMs: 8_999 }, now)).toBe(true)
})
