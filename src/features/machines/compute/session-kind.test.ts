import { expect, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import type { SessionContext } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { silentLog as log } from '#test/silent-log.ts'
import type { Homes } from './homes.ts'
import { boxPolicies } from './policies.ts'
import { createBoxSessions } from './session-kind.ts'

/** The time of its clock passes when the test says so. */
function openContext() {
  const pauses: PromiseWithResolvers<void>[] = []
  const given = new AbortController()
  const clock: Clock = {
    now: () => 0,
    sleep: (_delayMs, signal) => {
      const pause = Promise.withResolvers<void>()
      signal?.addEventListener('abort', () => pause.reject(signal.reason))
      pauses.push(pause)
      return pause.promise
    },
  }
  const context = { sessionId: 'session', accountId: 'account', signal: given.signal, clock }
  return {
    context: context as SessionContext,
    giveUp: () => given.abort(),
    pass: () => pauses.forEach(({ resolve }) => void resolve()),
  }
}
const { context } = openContext()

/** A machine whose homes are restored when the test says so. */
function openSlowMachine() {
  const restored = Promise.withResolvers<boolean>()
  const saving = Promise.withResolvers<void>()
  const machine = {
    opened: 0,
    closed: 0,
    saved: 0,
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
    async save() {
      machine.saved += 1
      await saving.promise
    },
    release: () => {},
    restore: () => restored.promise,
  } as unknown as Homes
  const { kind } = createBoxSessions(boxPolicies.sess_a, { machine, homes, log })
  return { kind, machine, restored, saving }
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

test('a box that comes back when its session has given up is saved and left again', async () => {
  const { kind, machine, restored, saving } = openSlowMachine()
  const { context: late, giveUp, pass } = openContext()
  const adopted = kind.adopt(late, {})
  giveUp()
  restored.resolve(true)
  await adopted
  pass()
  saving.resolve()
  await expect.poll(() => machine).toMatchObject({ opened: 1, saved: 1, closed: 1 })
})

test('an attempt while such a box is saved waits, and does not get the box that ends', async () => {
  const { kind, machine, restored, saving } = openSlowMachine()
  const { context: late, giveUp, pass } = openContext()
  const adopted = kind.adopt(late, {})
  giveUp()
  restored.resolve(true)
  const ending = await adopted
  pass()
  await expect.poll(() => machine.saved).toBe(1)
  const again = kind.adopt(context, {})
  saving.resolve()
  expect(await again).not.toBe(ending)
  expect(machine).toMatchObject({ opened: 2, closed: 1 })
})

test('a box that the next attempt finds stays', async () => {
  const { kind, machine, restored } = openSlowMachine()
  const { context: late, giveUp, pass } = openContext()
  const adopted = kind.adopt(late, {})
  giveUp()
  restored.resolve(true)
  await adopted
  await kind.adopt(context, {})
  pass()
  await new Promise(setImmediate)
  expect(machine).toMatchObject({ opened: 1, closed: 0 })
})
