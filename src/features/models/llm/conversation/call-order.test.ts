import { expect, test } from 'vitest'
import type { AnswerEvent } from './answer-event.ts'
import { createCallOrder } from './call-order.ts'

const call = (index: number, kind: 'function' | 'custom' = 'function'): AnswerEvent => ({
  type: 'call',
  choice: 0,
  index,
  id: `c${index}`,
  name: 'f',
  kind,
})
const args = (index: number, text: string): AnswerEvent => ({
  type: 'arguments',
  choice: 0,
  index,
  text,
})
const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, text: said })
const end = (reason: 'tool_calls' | 'length'): AnswerEvent => ({ type: 'end', choice: 0, reason })
const order = (events: readonly AnswerEvent[]) => {
  const calls = createCallOrder()
  return { written: events.flatMap(calls.add), isBad: calls.hasBadArguments() }
}

test('parallel calls in turns come one after another', () => {
  const { written, isBad } = order([
    call(0),
    call(1),
    args(0, '{"a":'),
    args(1, '{"b":'),
    text('x'),
    args(0, '1}'),
    args(1, '2}'),
    end('tool_calls'),
  ])
  expect(written).toEqual([
    call(0),
    args(0, '{"a":'),
    args(0, '1}'),
    call(1),
    args(1, '{"b":'),
    args(1, '2}'),
    text('x'),
    end('tool_calls'),
  ])
  expect(isBad).toBe(false)
})

test('calls that are complete are not held back', () => {
  const calls = createCallOrder()
  calls.add(call(0))
  calls.add(args(0, '{}'))
  expect(calls.add(call(1))).toEqual([call(1)])
})

test('nothing is lost if the arguments are never complete, and that is known', () => {
  const events = [call(0), args(0, '{"a":'), call(1), args(1, '{}'), end('tool_calls')]
  expect(order(events)).toEqual({ written: events, isBad: true })
})

test('an answer that reached its limit may end within the arguments', () => {
  expect(order([call(0), args(0, '{"a":'), end('length')]).isBad).toBe(false)
})

test('the text of a custom tool need not be JSON', () => {
  const events = [
    call(0, 'custom'),
    args(0, '*** patch'),
    call(1),
    args(1, '{}'),
    end('tool_calls'),
  ]
  expect(order(events)).toEqual({ written: events, isBad: false })
})
