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

test.each([undefined, null])('the verdict %j refuses nothing', async (verdict) => {
  const { log, permitted } = permit(async () => verdict as undefined)
  await permitted
  expect(log.error).not.toHaveBeenCalled()
})

test.each([
  true,
  false,
  'no',
  0,
  {},
  { code: 'no_such_code', message: 'No.' },
  { code: 'toString', message: 'No.' },
  { code: 'forbidden', message: 7 },
])(
  'the verdict %j refuses the call as unavailable, and the log says whose it was',
  async (verdict) => {
    const { log, permitted } = permit(() => verdict as never)
    await expect(permitted).rejects.toMatchObject({ code: 'unavailable' })
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      {
        plugin: 'rules',
        err: expect.objectContaining({
          message: expect.stringMatching(/^Its verdict .* must have a code of the table/),
        }),
      },
      'A rule of a plugin failed, so a call was refused.',
    )
  },
)

test('a refusal is told as the rule has written it', async () => {
  const { permitted } = permit(() => ({ code: 'forbidden', message: 'Not at night.' }))
  await expect(permitted).rejects.toMatchObject({ code: 'forbidden', message: 'Not at night.' })
})
