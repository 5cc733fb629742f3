import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { PostponedError } from '../execute/postponed.ts'
import { nextStep } from './work.ts'

test.each([
  [
    'a job that postpones itself waits for the requested time',
    new PostponedError(7),
    false,
    'later',
  ],
  ['an expected failure ends the job', fail('not_found'), false, 'end'],
  ['a database that is away is waited for', fail('unavailable'), false, 'later'],
  ['a settlement with an unknown outcome is waited for', fail('payment_pending'), false, 'later'],
  ['a bug is retried', new TypeError('x'), false, 'retry'],
  ['a failure while the gateway stops is retried', fail('not_found'), true, 'retry'],
  ['a postponed job stays postponed while the gateway stops', new PostponedError(7), true, 'later'],
] as const)('%s', (_title, thrown, isStopping, kind) => {
  expect(nextStep(thrown, isStopping)).toMatchObject({ kind })
})
