import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { systemClock } from '#platform/clock.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import type { ReadyStep } from './examine.ts'
import { runSteps } from './run-steps.ts'

type Context = Parameters<typeof runSteps>[0]

/** How a step behaves when it runs. */
interface Behaviour {
  readonly quote: number
  readonly charged: number
  readonly fails?: boolean
  readonly optional?: boolean
  readonly after?: readonly string[]
  /** How many turns of the event loop it takes. Infinite: until it is aborted. */
  readonly turns?: number
}

type Plan = Readonly<Record<string, Behaviour>>

const readySteps = (plan: Plan): ReadyStep[] =>
  Object.entries(plan).map(([id, { after = [], optional = false }]) => ({
    step: { id, action: `test/${id}`, params: {}, optional },
    awaits: after,
  }))

/** What jobs get of the runner: results are stored before they are answered, and stored ones are answered again. */
function createContext(plan: Plan, clock = systemClock) {
  const checkpoints = new Map<string, unknown>()
  const asked: string[] = []
  const running = new Set<string>()
  const seen = { runningMost: 0, reservedMost: 0 }
  let spent = 0

  async function perform(id: string, signal: AbortSignal) {
    const { charged, fails, turns = 1 } = plan[id] as Behaviour
    asked.push(id)
    running.add(id)
    const reserved = [...running].reduce((sum, each) => sum + (plan[each]?.quote ?? 0), spent)
    seen.runningMost = Math.max(seen.runningMost, running.size)
    seen.reservedMost = Math.max(seen.reservedMost, reserved)
    try {
      for (let turn = 0; turn < turns; turn += 1) {
        await new Promise(setImmediate)
        signal.throwIfAborted()
      }
      if (fails) throw fail('all_blocked')
      spent += charged
      checkpoints.set(`step/${id}`, { charged })
      return { data: { id }, charged }
    } finally {
      running.delete(id)
    }
  }

  const contextOf = (signal: AbortSignal, reason?: 'cancelled' | 'given_up'): Context => ({
    checkpoints: new Map(checkpoints),
    signal,
    clock,
    save: async (name, value) => void checkpoints.set(name, value),
    report: async () => {},
    stopReason: async () => reason,
    async prepare(action, _body, name) {
      const id = action.slice('test/'.length)
      const done = checkpoints.get(name ?? '') as { charged: number } | undefined
      if (done !== undefined)
        return {
          quote: { kind: 'exact', micros: done.charged },
          run: async () => ({ data: { id }, charged: done.charged }),
        }
      return {
        quote: { kind: 'cap', micros: plan[id]?.quote ?? 0 },
        // The end of the job ends its steps, too.
        run: (ended) => perform(id, ended ? AbortSignal.any([ended, signal]) : signal),
      }
    },
  })
  return { contextOf, asked, seen, spent: () => spent }
}

const never = new AbortController().signal
const inTime = systemClock.now() + 60 * 60_000
const endless = Number.POSITIVE_INFINITY
const statusesOf = ({ outcomes }: Awaited<ReturnType<typeof runSteps>>) =>
  Object.fromEntries([...outcomes].map(([id, { status }]) => [id, status]))

const behaviour = fc.record({
  quote: fc.integer({ min: 0, max: 30 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  fails: fc.boolean(),
  optional: fc.boolean(),
  turns: fc.integer({ min: 0, max: 5 }),
  after: fc.array(fc.nat(19), { maxLength: 3 }),
})

const randomPlan = fc.array(behaviour, { minLength: 1, maxLength: 20 }).map(
  (drawn): Plan =>
    Object.fromEntries(
      drawn.map(({ share, after, ...rest }, at) => [
        `s${at}`,
        {
          ...rest,
          charged: Math.floor(rest.quote * share),
          after: [...new Set(after.filter((earlier) => earlier < at))].map((n) => `s${n}`),
        },
      ]),
    ),
)

test('any plan, killed at any time, ends within its hold, five steps at a time, each paid once', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomPlan,
      fc.nat(200),
      fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
      async (plan, held, kills) => {
        const { contextOf, asked, seen, spent } = createContext(plan)
        const steps = readySteps(plan)
        const limits = { held, deadlineMs: inTime }
        for (const turns of kills) {
          const killed = new AbortController()
          const dying = runSteps(contextOf(killed.signal), steps, limits).catch(() => {})
          for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
          killed.abort(new Error('killed'))
          await dying
        }
        const { outcomes } = await runSteps(contextOf(never), steps, limits)
        expect([...outcomes.keys()].toSorted()).toEqual(Object.keys(plan).toSorted())
        expect(seen.runningMost).toBeLessThanOrEqual(5)
        expect(seen.reservedMost).toBeLessThanOrEqual(Math.max(held, 0))
        const charges = [...outcomes.values()].map((one) =>
          one.status === 'succeeded' ? one.charged : 0,
        )
        // What was delivered is what is charged: nothing twice, and nothing forgotten by a kill.
        expect(charges.reduce((sum, each) => sum + each, 0)).toBe(spent())
        for (const [id, { after = [] }] of Object.entries(plan)) {
          const firstAsked = asked.indexOf(id)
          if (firstAsked < 0) continue
          for (const earlier of after) {
            expect(outcomes.get(earlier)?.status).toBe('succeeded')
            expect(asked.indexOf(earlier)).toBeLessThan(firstAsked)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('steps that have not ended at the deadline have failed, free, and no other one starts', async () => {
  const { clock, run } = createVirtualClock()
  const plan: Plan = {
    quick: { quote: 2, charged: 2, turns: 0 },
    endless: { quote: 2, charged: 2, turns: endless },
    next: { quote: 2, charged: 2, after: ['endless'] },
  }
  const { contextOf, asked } = createContext(plan, clock)
  const ending = runSteps(contextOf(never), readySteps(plan), {
    held: 100,
    deadlineMs: clock.now() + 60 * 60_000,
  })
  await run()
  const ended = await ending
  expect(statusesOf(ended)).toEqual({ quick: 'succeeded', endless: 'failed', next: 'skipped' })
  // The caller has sent nothing wrong in a step that was not run.
  expect(ended.outcomes.get('next')).toMatchObject({ error: { code: 'cancelled' } })
  expect(asked).toEqual(['quick', 'endless'])
  // A plan that is taken up after its deadline asks nothing more.
  const other = createContext(plan, clock)
  const limits = { held: 100, deadlineMs: clock.now() }
  const late = await runSteps(other.contextOf(never), readySteps(plan), limits)
  expect(other.asked).toEqual([])
  expect(statusesOf(late)).toEqual({ quick: 'skipped', endless: 'skipped', next: 'skipped' })
})

test('a plan that is given up keeps what was delivered, and asks nothing', async () => {
  const plan: Plan = {
    done: { quote: 2, charged: 1 },
    deadly: { quote: 2, charged: 2, turns: endless },
  }
  const { contextOf, asked } = createContext(plan)
  const killed = new AbortController()
  const limits = { held: 100, deadlineMs: inTime }
  const dying = runSteps(contextOf(killed.signal), readySteps(plan), limits).catch(() => {})
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  killed.abort(new Error('killed'))
  await dying
  const ended = await runSteps(contextOf(never, 'given_up'), readySteps(plan), limits)
  expect(ended).toMatchObject({ stopReason: 'given_up' })
  expect(statusesOf(ended)).toEqual({ done: 'succeeded', deadly: 'skipped' })
  expect(asked).toEqual(['done', 'deadly'])
})

test('a cheaper step does not take the money of an earlier one that waits for it', async () => {
  const plan: Plan = {
    first: { quote: 60, charged: 10, turns: 5 },
    dear: { quote: 80, charged: 80 },
    cheap: { quote: 20, charged: 20 },
  }
  const { contextOf, asked } = createContext(plan)
  const ended = await runSteps(contextOf(never), readySteps(plan), {
    held: 100,
    deadlineMs: inTime,
  })
  expect(asked).toEqual(['first', 'dear'])
  expect(statusesOf(ended)).toEqual({ first: 'succeeded', dear: 'succeeded', cheap: 'failed' })
})
