import { expect, test } from 'vitest'
import {
  callMessagesPerSecondMax,
  connectionMessagesPerMinuteMax,
  connectionMessagesPerSecondMax,
  createMessageGate,
} from './message-gate.ts'

const say = (message: object) => ({ jsonrpc: '2.0', ...message })
const progress = (progressToken: number) =>
  say({ method: 'notifications/progress', params: { progressToken, progress: 1 } })

function openGate() {
  const clock = { now: 0 }
  const { admit, expect: awaitAnswer } = createMessageGate(
    () => {},
    () => clock.now,
  )
  const admitted = (messages: Iterable<unknown>) => [...messages].filter(admit).length
  return { clock, admit, admitted, awaitAnswer }
}
const repeat = (message: unknown, times: number) => Array.from({ length: times }, () => message)

test('a call is heard so often in a second, and again in the next one', () => {
  const { clock, admitted } = openGate()
  expect(admitted(repeat(progress(1), 1_000))).toBe(callMessagesPerSecondMax)
  expect(admitted(repeat(progress(2), 10))).toBe(10)
  clock.now = 1_000
  expect(admitted(repeat(progress(1), 50))).toBe(50)
})

test('all calls together are heard so often, and a change of tools among them', () => {
  const { admit, admitted } = openGate()
  const calls = Array.from({ length: 100 }, (_, call) => repeat(progress(call), 20)).flat()
  expect(admitted(calls)).toBe(connectionMessagesPerSecondMax)
  expect(admit(say({ method: 'notifications/tools/list_changed' }))).toBe(true)
})

test('an answer is passed on once where it is awaited, and all else is counted as messages are', () => {
  const { admit, admitted, awaitAnswer } = openGate()
  for (const sent of [say({ id: 1, method: 'ping' }), { no: 'message' }, [1], null, undefined])
    expect(openGate().admitted(repeat(sent, 1_000))).toBe(callMessagesPerSecondMax)
  awaitAnswer([
    { id: 1, method: 'tools/call' },
    { id: 2, method: 'tools/list' },
  ])
  awaitAnswer({ method: 'notifications/initialized' })
  const answers = [
    say({ id: 1, result: {} }),
    say({ id: '2', error: { code: 1, message: 'No.' } }),
    say({ id: 3, result: {} }),
    say({ id: 'undefined', result: {} }),
  ]
  expect(answers.map(admit)).toEqual([true, true, false, false])
  expect(admitted(answers)).toBe(0)
})

test('a flood of answers that were not asked for is refused', () => {
  const { admitted } = openGate()
  const answer = say({ id: 'u1', result: {} })
  expect(admitted(repeat(answer, connectionMessagesPerMinuteMax))).toBe(0)
  expect(() => admitted([answer])).toThrow('sends too many messages')
})

test('a flood is refused, and what is sent after it begins anew', () => {
  const { clock, admit, admitted, awaitAnswer } = openGate()
  awaitAnswer({ id: 1, method: 'tools/call' })
  admitted(repeat(progress(1), connectionMessagesPerMinuteMax))
  expect(admit(say({ id: 1, result: {} }))).toBe(true)
  expect(() => admit(progress(1))).toThrow('sends too many messages. Nothing was charged')
  clock.now = 1_000
  expect(admit(progress(1))).toBe(true)
})

test('what is sent over many minutes is not a flood', () => {
  const { clock, admitted } = openGate()
  for (let minute = 0; minute < 3; minute++) {
    clock.now = minute * 60_000
    expect(admitted(repeat(progress(1), connectionMessagesPerMinuteMax))).toBe(
      callMessagesPerSecondMax,
    )
  }
})

test('a change of tools that was dropped is told later, once', async () => {
  const told = Promise.withResolvers<void>()
  let times = 0
  const { admit } = createMessageGate(() => {
    times += 1
    told.resolve()
  })
  const sent = repeat(say({ method: 'notifications/tools/list_changed' }), 1_000)
  expect(sent.filter(admit).length).toBeLessThan(sent.length)
  const waiting = setInterval(() => {}, 1_000)
  await told.promise
  clearInterval(waiting)
  expect(times).toBe(1)
})
