import { expect, test } from 'vitest'
import { withUnifiedIdeographs } from './unified-ideographs.ts'

test('radicals become the ideographs that they stand for', () => {
  expect(withUnifiedIdeographs('\u2f47\u672c\u306e\u2f54\u2ecb')).toBe(
    '\u65e5\u672c\u306e\u6c34\u8f66',
  )
})

test('forms that differ in other ranges stay as they are', () => {
  const text = '\uff21\uff11\u3000\ufb01\u00b2\u2460\u30ac'
  expect(withUnifiedIdeographs(text)).toBe(text)
})
