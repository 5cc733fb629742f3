import { expect, test } from 'vitest'
import { createUnfilledCalls } from './unfilled-calls.ts'

test('a caller has twenty unfilled calls an hour, which others do not use up', () => {
  let now = 0
  const clock = { now: () => now } as Parameters<typeof createUnfilledCalls>[0]['clock']
  const calls = createUnfilledCalls({ clock })
  for (let call = 0; call < 20; call += 1) {
    calls.admit('weber')
    calls.note('weber')
    now += 60_000
  }
  expect(() => calls.admit('weber')).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 2_400 }),
  )
  calls.admit('miller')
  now += 2_400_000
  calls.admit('weber')
})
