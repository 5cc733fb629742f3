import { expect, test } from 'vitest'
import { inParts } from './parts.ts'

async function cut(contents: readonly string[], bytesMax: number) {
  const parts: string[] = []
  const content = contents.map((each) => Buffer.from(each))
  for await (const { bytes, isLast } of inParts(content, bytesMax))
    parts.push(`${bytes}${isLast ? '.' : ''}`)
  return parts
}

test('every part but the last is full, however the content arrives', async () => {
  expect(await cut(['abcdefgh'], 3)).toEqual(['abc', 'def', 'gh.'])
  expect(await cut(['a', 'bcd', '', 'ef'], 3)).toEqual(['abc', 'def.'])
  expect(await cut(['a', 'b'], 3)).toEqual(['ab.'])
  expect(await cut(['', ''], 3)).toEqual(['.'])
  expect(await cut([], 3)).toEqual(['.'])
})
