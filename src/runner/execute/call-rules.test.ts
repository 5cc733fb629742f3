// What a rule of a plugin does to a call, also when it misbehaves.
import { expect, test, vi } from 'vitest'
import type { CallHooks, ProposedCall } from '#core/calls/call-hooks.ts'
import { systemClock } from '#platform/clock.ts'
import { silentLog } from '#test/silent-log.ts'
import { createCallRules } from './call-rules.ts'

const proposed: ProposedCall = {
  payer: 'account',
  accountId: 'account',
  keyId: undefined,
  action: 'test/echo',
  quote: { kind: 'exact', micros: 20_000 },
  orders: [],
}

/** Asks this rule of a plugin `rules`. */
function permit(beforeCall: NonNullable<CallHooks['beforeCall']>, clock = systemClock) {
  const log = { ...silentLog, error: vi.fn() }
  const rules = createCallRules({ hooks: [{ plugin: 'rules', hooks: { beforeCall } }], clock, log })
  return { log, permitted: rules.permit(proposed) }
}

test('a rule that does not answer within ten seconds is given up, and its call is refused', async () => {
  const slept: number[] = []
  const clock = {
    ...systemClock,
    sleep: async (delayMs: number) => void slept.push(delayMs),
  }
  const { log, permitted } = permit(() => new Promise(() => {}), clock)
  await expect(permitted).rejects.toMatchObject({ code: 'unavailable' })
  expect(slept).toEqual([10_000])
  expect(log.error).toHaveBeenCalledExactlyOnceWith(
    {
      plugin: 'rules',
      err: expect.objectContaining({ message: 'It took longer than 10 seconds.' }),
    },
    'A rule of a plugin failed, so a call was refused.',
  )
})
