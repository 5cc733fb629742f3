import { expect, test } from 'vitest'
import type { SessionContext } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { silentLog as log } from '#test/silent-log.ts'
import type { Homes } from './homes.ts'
import { boxPolicies } from './policies.ts'
import { createBoxSessions } from './session-kind.ts'

const context = { sessionId: 'session', accountId: 'account' } as SessionContext

/** A machine whose homes are restored when the test says so. */
function openSlowMachine() {
  const restored = Promise.withResolvers<boolean>()
  const machine = {
    opened: 0,
    closed: 0,
    fullFor: () => undefined,
    async open() {
      machine.opened += 1
      const close = async () => {
        machine.closed += 1
      }
      return { ended: new Promise<void>(() => {}), close } as StandingBox
    },
  }
  const homes = {
    has: async () => true,
    reserve: () => {},
    remove: async () => {},
    release: () => {},
    restore: () => restored.promise,
  } as unknown as Homes
  const { kind } = createBoxSessions(boxPolicies.sess_a, { machine, homes, log })
  return { kind, machine, restored }
}

test('an attempt to continue a session joins the one that is under way', async () => {
  const { kind, machine, restored } = openSlowMachine()
  const first = kind.adopt(context, {})
  const second = kind.adopt(context, {})
  restored.resolve(true)
  expect(await second).toBe(await first)
  expect(machine.opened).toBe(1)
  expect(await kind.adopt(context, {})).toBe(await first)
})

test('after an attempt that failed, the next one begins anew', async () => {
  const { kind, machine, restored } = openSlowMachine()
  restored.reject(new Error('The box has ended.'))
  await expect(kind.adopt(context, {})).rejects.toThrow('ended')
  await expect(kind.adopt(context, {})).rejects.toThrow('ended')
  expect(machine.opened).toBe(2)
})

test('a session that is discarded while it comes back leaves no box', async () => {
  const { kind, machine, restored } = openSlowMachine()
  const adopted = kind.adopt(context, {})
  const discarded = kind.discard(context, {})
  restored.resolve(true)
  await Promise.all([adopted, discarded])
  expect(machine).toMatchObject({ opened: 1, closed: 1 })
})
