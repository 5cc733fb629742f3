import { expect, test } from 'vitest'
import { hasMoreNames, refuseManyNames } from './field-names.ts'

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value, null, 1))

test('different names of fields are counted, and repeated ones and values are not', () => {
  const rows = Array.from({ length: 50 }, (_, at) => ({ id: at, name: `row ${at}`, 'a "b"': 1 }))
  expect(hasMoreNames(bytesOf(rows), 3)).toBe(false)
  expect(hasMoreNames(bytesOf(rows), 2)).toBe(true)
  const map = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key ${at}`, 'x']))
  expect(hasMoreNames(bytesOf(map), 50)).toBe(false)
  expect(hasMoreNames(bytesOf({ map, more: 1 }), 50)).toBe(true)
})

test('an answer with more names than a gateway reads in time is refused before it is read', () => {
  const names = Array.from({ length: 120_000 }, (_, at) => `"field ${at}":${at}`)
  expect(() => refuseManyNames(Buffer.from(`{${names.join()}}`))).toThrow(
    'more than 100000 different names of fields',
  )
  refuseManyNames(Buffer.from(`{${names.slice(0, 90_000).join()}}`))
  refuseManyNames(Buffer.from(`[${Array(300_000).fill('{"same":1}').join()}]`))
})
