import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { PostponedError } from '../execute/postponed.ts'
import { nextStep } from './work.ts'

test.each([
  ['a job that asks to wait waits as long as it asked', new PostponedError(7), false, 'later'],
  ['an expected failure ends the job', fail('not_found'), false, 'end'],
  ['a database that is away is waited for', fail('unavailable'), false, 'later'],
  ['a settlement with an unknown outcome is waited for', fail('payment_pending'), false, 'later'],
  ['a bug is retried', new TypeError('x'), false, 'retry'],
  ['a failure while the gateway stops is retried', fail('not_found'), true, 'retry'],
  [
    'a job that waits while the gateway stops goes on waiting',
    new PostponedError(7),
    true,
    'later',
  ],
] as const)('%s', (_title, thrown, isStopping, kind) => {
  expect(nextStep(thrown, isStopping)).toMatchObject({ kind })
})
