import vm from 'node:vm'
import { expect, test } from 'vitest'
import { errorCodeOf, errorMessageOf, errorNameOf } from './thrown.ts'

const foreign: unknown = vm.runInNewContext('Object.assign(new RangeError("too far"), { code: 7 })')

test.each([
  [Object.assign(new Error('gone'), { code: 'ENOENT' }), 'ENOENT', 'gone', 'Error'],
  [foreign, undefined, 'too far', 'RangeError'],
  ['a word', undefined, 'a word', 'string'],
  [undefined, undefined, 'undefined', 'undefined'],
])('a thrown value of any kind is read: %o', (thrown, code, message, name) => {
  expect([errorCodeOf(thrown), errorMessageOf(thrown), errorNameOf(thrown)]).toEqual([
    code,
    message,
    name,
  ])
})
