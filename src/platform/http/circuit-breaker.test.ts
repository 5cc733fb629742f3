import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const origin = 'https://api.example.org'

function start() {
  let nowMs = 1_000_000
  const breaker = createCircuitBreaker({ clock: { now: () => nowMs, sleep: async () => {} } })
  const ask = (outcome: 'alive' | 'down' | 'unknown', at = origin) => {
    breaker.enter(at)
    breaker.leave(at, outcome)
  }
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) ask('down')
  }
  return { breaker, ask, fail, pass: (ms: number) => (nowMs += ms) }
}
const refused = expect.objectContaining({
  code: 'upstream_error',
  data: { reason: 'circuit_open' },
})

test('consecutive failures open the circuit of that origin alone; an answer in between resets the count', () => {
  const { breaker, ask, fail } = start()
  fail(4)
  ask('alive')
  fail(4)
  expect(breaker.circuits()).toEqual([])
  fail(1)
  expect(() => breaker.enter(origin)).toThrow(refused)
  expect(() => breaker.enter(origin)).toThrow(expect.objectContaining({ retryAfterSeconds: 15 }))
  expect(() => ask('alive', 'https://other.example.org')).not.toThrow()
  expect(breaker.circuits()).toEqual([
    { origin, state: 'open', failures: 5, retryAt: new Date(1_015_000).toISOString() },
  ])
})

test('after the pause one call probes, and the others are refused until it ends', () => {
  const { breaker, fail, pass, ask } = start()
  fail(5)
  pass(15_000)
  expect(breaker.circuits()).toMatchObject([{ state: 'half_open' }])
  breaker.enter(origin)
  expect(() => breaker.enter(origin)).toThrow(refused)
  breaker.leave(origin, 'alive')
  expect(breaker.circuits()).toEqual([])
  expect(() => ask('alive')).not.toThrow()
})

test('a failed probe doubles the pause up to a limit; an abandoned probe is repeated', () => {
  const { breaker, ask, fail, pass } = start()
  fail(5)
  pass(15_000)
  ask('down')
  expect(() => breaker.enter(origin)).toThrow(expect.objectContaining({ retryAfterSeconds: 30 }))
  for (let probes = 0; probes < 9; probes += 1) {
    pass(240_000)
    ask('down')
  }
  expect(() => breaker.enter(origin)).toThrow(expect.objectContaining({ retryAfterSeconds: 240 }))
  pass(240_000)
  ask('unknown')
  expect(() => ask('alive')).not.toThrow()
})

test('calls that started before the circuit opened do not extend the pause', () => {
  const { breaker, fail } = start()
  for (let call = 0; call < 8; call += 1) breaker.enter(origin)
  for (let call = 0; call < 8; call += 1) breaker.leave(origin, 'down')
  expect(breaker.circuits()).toMatchObject([{ retryAt: new Date(1_015_000).toISOString() }])
  expect(() => fail(1)).toThrow(refused)
})
