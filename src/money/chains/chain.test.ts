import { expect, test } from 'vitest'
import { hexOf } from './chain.ts'
import { deserialize } from './tempo-transaction.ts'

test('a stored text without hexadecimal digits does not reach a chain', () => {
  expect(hexOf('0x1f')).toBe('0x1f')
  expect(() => hexOf('')).toThrow('not hexadecimal')
  expect(() => deserialize('0x02')).toThrow('not a transaction of Tempo')
})
