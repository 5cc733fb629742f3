import { expect, test } from 'vitest'
import { ownPath } from './forms.ts'

test.each([
  ['/console?page=2', '/console?page=2'],
  ['/a/../b', '/b'],
  ['/.//evil.example', '/start'],
  ['/a/..//evil.example', '/start'],
  ['/%2e//evil.example', '/start'],
  ['//evil.example', '/start'],
  ['/\\evil.example', '/start'],
  ['/.\\/evil.example', '/start'],
  ['/\t/evil.example', '/start'],
  ['https://evil.example', '/start'],
  [undefined, '/start'],
])('after signing in, next=%s leads to %s', (wanted, path) => {
  expect(ownPath(wanted, '/start')).toBe(path)
})
