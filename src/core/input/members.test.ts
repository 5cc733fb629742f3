import { describe, expect, test } from 'vitest'
import { listIn, membersOf } from './members.ts'
import { ownValue } from './own-value.ts'

describe('a value from outside', () => {
  test.each([undefined, null, 'text', 7, false])('of no members has nothing: %j', (value) => {
    expect(membersOf(value)).toEqual({})
    expect(membersOf(value).reason).toBeUndefined()
    expect(listIn(value)).toEqual([])
    expect(ownValue(value, 'length')).toBeUndefined()
  })

  test('is read by its names, those of an error too', () => {
    const thrown = Object.assign(new Error('It is broken.'), { code: 'ENOENT' })
    expect(membersOf(thrown)).toBe(thrown)
    expect(membersOf(membersOf({ error: { code: 7 } }).error).code).toBe(7)
    expect(listIn([1, 2])).toEqual([1, 2])
    expect(ownValue({ a: 1 }, 'a')).toBe(1)
    expect(ownValue({ a: 1 }, 'constructor')).toBeUndefined()
  })
})
