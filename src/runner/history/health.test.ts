import { expect, test } from 'vitest'
import { judge } from './health.ts'

test.each([
  ['unknown', []],
  ['unknown', [{ error: '', calls: 4 }]],
  [
    'healthy',
    [
      { error: '', calls: 95 },
      { error: 'upstream_error', calls: 5 },
    ],
  ],
  [
    'degraded',
    [
      { error: '', calls: 80 },
      { error: 'upstream_error', calls: 20 },
    ],
  ],
  [
    'failing',
    [
      { error: '', calls: 10 },
      { error: 'upstream_error', calls: 10 },
    ],
  ],
  // What the caller got wrong, or what does not exist, is not the action's failure.
  [
    'healthy',
    [
      { error: '', calls: 5 },
      { error: 'not_found', calls: 500 },
      { error: 'bad_request', calls: 9 },
    ],
  ],
  // A code of an earlier version.
  ['failing', [{ error: 'a_former_code', calls: 9 }]],
] as const)('%s: %j', (status, rows) => {
  expect(judge(rows)).toBe(status)
})
