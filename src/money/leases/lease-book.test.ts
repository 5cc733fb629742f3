import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createLeaseBook } from './lease-book.ts'

const hold = (callId: string) => ({
  callId,
  accountId: 'a',
  keyId: 'k',
  action: 'llm/chat',
  micros: 10,
  lifetimeMs: 60_000,
})

test('a lease whose turn is on its way asks for no other one, although its gateway stops', () => {
  const book = createLeaseBook(systemClock)
  book.reserve(hold('first'))
  const { entry } = book.reserve(hold('second'))
  if (entry === undefined) throw new Error('The second call opens a lease.')
  expect(book.needsTurn(entry)).toBe(true)
  entry.isAsking = true
  book.retire(entry)
  expect(book.needsTurn(entry)).toBe(false)
  entry.isAsking = false
  expect(book.needsTurn(entry)).toBe(true)
})
