import { expect, test } from 'vitest'
import { countOf } from './count.ts'

test('one thing has no plural', () => {
  expect([0, 1, 2].map((count) => countOf(count, 'action'))).toEqual([
    '0 actions',
    '1 action',
    '2 actions',
  ])
})
