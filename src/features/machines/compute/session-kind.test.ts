import { expect, test } from 'vitest'
import type { SessionContext } from '#core/session.ts'
import { BoxRefusal, type StandingBox } from '#platform/sandbox/standing-box.ts'
import { createSkippingClock } from '#test/browsers/skipping-clock.ts'
import { silentLog as log } from '#test/silent-log.ts'
import type { Homes } from './homes.ts'
import { boxPolicies } from './policies.ts'
import { createBoxSessions } from './session-kind.ts'

const clock = createSkippingClock()
const { signal } = new AbortController()
const parts: Partial<SessionContext> = { sessionId: 'session', accountId: 'account', signal, clock }
const context = parts as SessionContext
const input = {}

/** A machine with the saved home of one session, which is restored when the test says so. */
function openSlowMachine(policy: keyof typeof boxPolicies = 'sess_a') {
  const restored = Promise.withResolvers<boolean>()
  const boxes: { isOpen: boolean; end(): void }[] = []
  const machine = {
    fullFor: () => undefined,
    refusal: undefined as Error | undefined,
    async open() {
      if (machine.refusal) throw machine.refusal
      const ended = Promise.withResolvers<void>()
      const end = () => {
        box.isOpen = false
        restored.reject(new Error('The box has ended.'))
        ended.resolve()
      }
      const box = { isOpen: true, end }
      boxes.push(box)
      return {
        ended: ended.promise,
        close: async () => end(),
        isAlive: () => box.isOpen,
        run: async () => ({ stdout: Buffer.of(), stderr: Buffer.of(), exitCode: 0 }),
        processorSeconds: async () => 0,
        size: { processors: 1, gigabytes: 1 },
      } as unknown as StandingBox
    },
  }
  const state = { isSaved: true, reserved: false, refusal: undefined as Error | undefined }
  const homes = {
    has: async () => state.isSaved,
    admit: async () => homes.reserve(),
    async save() {
      if (state.refusal) throw state.refusal
      state.isSaved = true
    },
    reserve() {
      state.reserved = true
    },
    release() {
      state.reserved = false
    },
    async remove() {
      Object.assign(state, { isSaved: false, reserved: false })
    },
    restore: () => restored.promise,
  }
  restored.promise.catch(() => {})
  const sessions = createBoxSessions(boxPolicies[policy], {
    machine,
    homes: homes as unknown as Homes,
    log,
  })
  const opened = () => boxes.length
  const open = () => boxes.filter(({ isOpen }) => isOpen).length
  return { ...sessions, boxes, machine, state, restored, opened, open }
}

test('an attempt to continue a session joins the one that is under way', async () => {
  const { kind, opened, restored } = openSlowMachine()
  const first = kind.adopt(context, {})
  const second = kind.adopt(context, {})
  restored.resolve(true)
  expect(await second).toBe(await first)
  expect(opened()).toBe(1)
  expect(await kind.adopt(context, {})).toBe(await first)
})

test('after an attempt that failed, the next one begins anew, and its room is given back', async () => {
  const { kind, opened, state, restored } = openSlowMachine()
  restored.reject(new Error('The box has ended.'))
  await expect(kind.adopt(context, {})).rejects.toThrow('ended')
  await expect(kind.adopt(context, {})).rejects.toThrow('ended')
  expect(opened()).toBe(2)
  expect(state).toMatchObject({ isSaved: true, reserved: false })
})

test('a session that finds no box gives its room back', async () => {
  const { kind, machine, state } = openSlowMachine()
  machine.refusal = new Error('full')
  await expect(kind.adopt(context, {})).rejects.toThrow('full')
  expect(state).toMatchObject({ isSaved: true, reserved: false })
})

test('a session that is discarded while it comes back leaves no box', async () => {
  const { kind, opened, open, restored } = openSlowMachine()
  const adopted = kind.adopt(context, {})
  const discarded = kind.discard(context, {})
  restored.resolve(true)
  await Promise.all([adopted, discarded])
  expect([opened(), open()]).toEqual([1, 0])
})

test('a saved home stays until the first command that can change the files', async () => {
  const { kind, state, restored } = openSlowMachine('sess_c')
  restored.resolve(true)
  const resource = await kind.adopt(context, {})
  expect(state.isSaved).toBe(true)
  await resource?.run({ command: 'true', timeoutMs: 1_000 }, signal)
  expect(state.isSaved).toBe(false)
})

test('a stop while a session comes back keeps its home, and leaves no box', async () => {
  const { kind, leave, opened, open, state } = openSlowMachine('sess_c')
  const adopted = kind.adopt(context, {})
  adopted.catch(() => {})
  await expect.poll(opened).toBe(1)
  await leave()
  await expect(adopted).rejects.toThrow('ended')
  expect(state.isSaved).toBe(true)
  expect(open()).toBe(0)
})

test('a box that comes back after its attempt gave up waits a minute for the next one', async () => {
  const { kind, opened, open, state, restored } = openSlowMachine('sess_d')
  const attempt = new AbortController()
  const adopted = kind.adopt({ ...context, signal: attempt.signal }, {})
  attempt.abort()
  restored.resolve(true)
  await adopted
  expect(open()).toBe(1)
  clock.skip(60_000)
  await expect.poll(open).toBe(0)
  expect(state).toMatchObject({ isSaved: true, reserved: false })
  await kind.adopt(context, {})
  clock.skip(60_000)
  expect([opened(), open()]).toEqual([2, 1])
})

test('a box that is taken by the next attempt stays', async () => {
  const { kind, opened, open, restored } = openSlowMachine('sess_d')
  const attempt = new AbortController()
  const adopted = kind.adopt({ ...context, signal: attempt.signal }, {})
  attempt.abort()
  restored.resolve(true)
  await adopted
  const resource = await kind.adopt(context, {})
  clock.skip(60_000)
  await resource?.run({ command: 'true', timeoutMs: 1_000 }, signal)
  expect([opened(), open()]).toEqual([1, 1])
})

test('a box whose first copy cannot be written is not left open', async () => {
  const { kind, open, state } = openSlowMachine('sess_d')
  state.refusal = new BoxRefusal('no room')
  await expect(kind.open({ ...context, input })).rejects.toThrow('no room')
  expect(open()).toBe(0)
})

test('of a box that has ended, the saved files are left', async () => {
  const { kind, boxes, state, restored } = openSlowMachine('sess_d')
  restored.resolve(true)
  const resource = await kind.adopt(context, {})
  boxes[0]?.end()
  await expect(resource?.salvage?.()).resolves.toBeDefined()
  state.isSaved = false
  await expect(resource?.salvage?.()).rejects.toMatchObject({ code: 'session_closed' })
})

test('a session says since when its home cannot be saved, until it is', async () => {
  const { kind, state } = openSlowMachine('sess_e')
  const resource = await kind.open({ ...context, input })
  const run = () => resource.run({ command: 'true', timeoutMs: 1_000 }, signal)
  expect(resource.unsavedSinceMs?.()).toBeUndefined()
  state.refusal = new Error('The disk is full.')
  await run()
  await expect.poll(() => resource.unsavedSinceMs?.()).toEqual(expect.any(Number))
  const since = resource.unsavedSinceMs?.()
  clock.skip(60_000)
  await run()
  expect(resource.unsavedSinceMs?.()).toBe(since)
  state.refusal = undefined
  await run()
  await expect.poll(() => resource.unsavedSinceMs?.()).toBeUndefined()
})
