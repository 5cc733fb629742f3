import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Ask,
  abandon,
  free,
  grant,
  idleMs,
  isOver,
  type Lease,
  leaseName,
  needsTurn,
  openLease,
  recall,
  refuse,
  reserve,
  retire,
  takeTurn,
} from './lease.ts'

const request = { accountId: 'a', keyId: 'k', action: 'llm/chat', micros: 10 }
const nothing = { ended: 0, isRecalled: false }
const fresh = (more: Partial<Lease> = {}): Lease => ({ ...openLease('id', request, 0), ...more })

type Event =
  | { kind: 'reserve'; micros: number }
  | { kind: 'end'; place: number; part: number }
  | { kind: 'turn'; isRecalled: boolean; micros: number; places: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'retire' | 'recall' | 'refuse' }

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve'), micros: fc.nat(50) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      place: fc.nat(100),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('turn'),
      isRecalled: fc.boolean(),
      micros: fc.nat(2_000),
      places: fc.nat(40),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(2_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('retire', 'recall', 'refuse') }),
  },
) as fc.Arbitrary<Event>

/** A lease between calls that come and go, and a database that holds `held` and `places` for it. */
function createWorld() {
  let lease = fresh()
  let nowMs = 0
  const held = { micros: 0, places: 0 }
  const calls: number[] = []
  let isClosed = false

  function turn(isRecalled: boolean, granted: { micros: number; places: number }) {
    const { lease: asking, ask } = takeTurn(lease, { ended: 0, isRecalled }, nowMs)
    expect(ask.give).toBeLessThanOrEqual(lease.spare)
    expect(ask.givePlaces).toBeLessThanOrEqual(lease.places)
    const micros = Math.min(ask.take, granted.micros)
    const places = Math.min(ask.takePlaces, granted.places)
    held.micros += micros - ask.give
    held.places += places - ask.givePlaces
    isClosed = ask.last
    if (ask.last) expect(held).toEqual({ micros: 0, places: 0 })
    else lease = grant(asking, ask, { micros, places, livesMs: 60_000, callMicrosMax: null }, nowMs)
  }

  return {
    apply(event: Event) {
      if (isClosed) return
      if (event.kind === 'reserve') {
        const wasClosing = lease.isClosing
        const answer = reserve(lease, { limits: undefined, micros: event.micros }, nowMs)
        lease = answer.lease
        if (answer.isReserved) calls.push(event.micros)
        expect(answer.isReserved && wasClosing).toBe(false)
      } else if (event.kind === 'end' && calls.length > 0) {
        const [worst = 0] = calls.splice(event.place % calls.length, 1)
        const charged = Math.floor(worst * event.part)
        lease = free(lease, worst, charged)
        held.micros -= charged
      } else if (event.kind === 'turn') turn(event.isRecalled, event)
      else if (event.kind === 'wait') nowMs += event.ms
      else if (event.kind === 'retire') lease = retire(lease)
      else if (event.kind === 'recall') lease = recall(lease, nowMs)
      else if (event.kind === 'refuse') lease = refuse(lease, nowMs)
    },
    check() {
      if (isClosed) return
      const reserved = calls.reduce((sum, worst) => sum + worst, 0)
      expect(lease.open).toBe(calls.length)
      expect(Math.min(lease.spare, lease.places)).toBeGreaterThanOrEqual(0)
      // The held amount is reserved or spare to the micro-dollar, so no call can cost more than its hold.
      expect(lease.spare + reserved).toBe(held.micros)
      expect(lease.places + calls.length).toBe(held.places)
    },
  }
}

test('everything held is reserved or spare after any events, and the last turn gives all of it back', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 80, size: 'max' }), (events) => {
      const world = createWorld()
      for (const event of events) {
        world.apply(event)
        world.check()
      }
    }),
    { numRuns: 500 },
  )
})

test('a lease asks for enough calls, and for nothing until it runs low', () => {
  const { ask } = takeTurn(fresh(), nothing, 0)
  expect(ask).toMatchObject({ take: 160, takePlaces: 16, give: 0, last: false })
  expect(needsTurn(fresh({ spare: 80, places: 8 }), nothing, 0)).toBe(false)
  expect(needsTurn(fresh({ spare: 79, places: 8 }), nothing, 0)).toBe(true)
})

test('a lease gives back what it holds beyond its needs', () => {
  const rich = fresh({ spare: 1_281, places: 20 })
  expect(needsTurn(rich, nothing, 0)).toBe(true)
  expect(takeTurn(rich, nothing, 0).ask).toMatchObject({ take: 0, give: 1_121 })
})

test('after an empty grant it pauses, then asks again', () => {
  const { lease, ask } = takeTurn(fresh(), nothing, 0)
  const none = { micros: 0, places: 0, livesMs: 60_000, callMicrosMax: null }
  const resting = grant(lease, ask, none, 0)
  expect(needsTurn(resting, nothing, 999)).toBe(false)
  expect(needsTurn(resting, nothing, 1_000)).toBe(true)
})

test('a call that is too expensive, too late or of a key with new limits is not reserved', () => {
  const lease = fresh({ spare: 100, places: 10, callMicrosMax: 20, endsAtMs: 50 })
  const asked = (micros: number, nowMs: number, limits?: string) =>
    reserve(lease, { micros, limits }, nowMs)
  expect(asked(20, 0).isReserved).toBe(true)
  expect(asked(21, 0).isReserved).toBe(false)
  expect(asked(20, 50).isReserved).toBe(false)
  expect(asked(20, 0, 'new')).toMatchObject({ isReserved: false, lease: { isClosing: true } })
})

test('a call is never charged above its reservation', () => {
  expect(() => free(fresh({ open: 1 }), 10, 11)).toThrow(RangeError)
})

test('an idle lease is over, and one with a call under way is not before its day ends', () => {
  expect(isOver(fresh(), idleMs)).toBe(true)
  expect(isOver(fresh(), idleMs - 1)).toBe(false)
  expect(isOver(fresh({ open: 1, endsAtMs: 5_000 }), 4_999)).toBe(false)
  expect(isOver(fresh({ open: 1, endsAtMs: 5_000 }), 5_000)).toBe(true)
})

test('a closing lease has its last turn once its calls have ended and are written', () => {
  const closing = retire(fresh({ open: 1, spare: 5, places: 2 }))
  expect(needsTurn(closing, nothing, 0)).toBe(false)
  expect(takeTurn(closing, nothing, 0).ask.last).toBe(false)
  const empty = retire(fresh({ spare: 5, places: 2 }))
  expect(takeTurn(empty, { ended: 1, isRecalled: false }, 0).ask.last).toBe(false)
  const ask: Ask = takeTurn(empty, nothing, 0).ask
  expect(ask).toEqual({ take: 0, takePlaces: 0, give: 5, givePlaces: 2, last: true })
})

test('a refused lease waits before its next turn, except when its gateway stops', () => {
  const refused = refuse(fresh(), 0)
  expect(needsTurn(refused, nothing, 999)).toBe(false)
  expect(needsTurn(refused, nothing, 1_000)).toBe(true)
  expect(needsTurn(abandon(refused), nothing, 0)).toBe(true)
})

test('keys without limits share a lease, a key with limits has its own, and so does each action', () => {
  const names = [
    { ...request },
    { ...request, keyId: 'other' },
    { ...request, limits: 'day 5' },
    { ...request, keyId: 'other', limits: 'day 5' },
    { ...request, action: 'llm/other' },
  ].map(leaseName)
  expect(names[0]).toBe(names[1])
  expect(new Set(names).size).toBe(4)
})
