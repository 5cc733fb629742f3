import { expect, test } from 'vitest'
import { formats, saidOf } from '#test/model-upstream.ts'
import { readMessageEvents } from '#test/models/message-events.ts'
import { fromLatin1, toLatin1 } from '../../exchange/sse.ts'
import { anthropicWire } from '../../wire/anthropic.ts'
import { openAnswerStream, readWholeAnswer } from '../answer-stream.ts'
import type { AnswerContext, Told } from '../surface.ts'
import { messagesSurface } from './messages.ts'

const slug = 'claude/one'
const tool = { name: 'look', input_schema: { type: 'object' } }
const request = messagesSurface.readRequest({
  model: slug,
  max_tokens: 100,
  stream: true,
  tools: [tool],
  messages: [{ role: 'user', content: 'Hi' }],
})
const context: AnswerContext = { request, callId: 'call', slug, createdAt: 1 }
const told: Told = {
  usage: { promptTokens: 10, completionTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  thoughtTokens: 0,
  usageFields: {},
  micros: 30,
  estimated: true,
}
const open = () => openAnswerStream(messagesSurface, anthropicWire, context)
const said = saidOf({ tokens: ['Grüß ', '🦊 ', '"you"'] })
const dataOf = (events: readonly string[]) =>
  events.map((event) => event.slice(event.indexOf('data: ') + 6).trim())
const upstream = dataOf(formats.anthropic.events('one', said, {}))
const blockAt = upstream.findIndex((data) => data.includes('content_block_start'))

function pass(events: readonly string[]) {
  const stream = open()
  return { stream, written: events.map((data) => stream.read(toLatin1(data))).join('') }
}

const calling = (input: string, reason = 'tool_use') => [
  ...upstream.slice(0, blockAt),
  '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"look","input":{}}}',
  ...[...input].map((piece) =>
    JSON.stringify({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: piece },
    }),
  ),
  '{"type":"content_block_stop","index":0}',
  `{"type":"message_delta","delta":{"stop_reason":"${reason}"},"usage":{"output_tokens":5}}`,
  '{"type":"message_stop"}',
]

test.each(['{"a": oops', '[1]', '"text"'])(
  'arguments other than a JSON object fail the vendor’s own answer: %s',
  (input) => {
    const { state } = pass(calling(input)).stream
    expect([state.failure?.kind, state.finished]).toEqual(['unreadable', false])
  },
)

test('arguments that the limit of tokens has cut are passed, and so is a call without any', () => {
  for (const events of [calling('{"a": "x', 'max_tokens'), calling('')])
    expect(pass(events).stream.state).toMatchObject({ failure: undefined, finished: true })
})

test('a whole answer whose arguments are not an object fails', () => {
  const native = { ...formats.anthropic.answer('one', said, {}), stop_reason: 'tool_use' }
  const read = (input: unknown) => {
    const content = [{ type: 'tool_use', id: 't', name: 'look', input }]
    const answer = anthropicWire.readAnswer({ ...native, content })
    return readWholeAnswer(messagesSurface, anthropicWire, context, answer)
  }
  expect(read('{"a": oops')).toMatchObject({ kind: 'unreadable', billed: {} })
  expect(read([1])).toMatchObject({ kind: 'unreadable' })
  expect(read({ a: 1 })).not.toHaveProperty('kind')
})

test('an answer in place of a stream fails by its arguments too', () => {
  const stream = open()
  const answer = anthropicWire.readAnswer({
    ...formats.anthropic.answer('one', said, {}),
    content: [{ type: 'tool_use', id: 't', name: 'look', input: 'oops' }],
  })
  if ('kind' in answer) throw new Error(answer.kind)
  stream.readWhole(answer)
  expect(stream.state.failure?.kind).toBe('unreadable')
})

test.each([
  [
    'a piece before its block',
    (events: string[]) => events.splice(blockAt, 0, ...events.splice(blockAt + 1, 1)),
  ],
  [
    'a piece after its block',
    (events: string[]) => events.splice(-2, 0, events[blockAt + 1] ?? ''),
  ],
  [
    'a block within a block',
    (events: string[]) => events.splice(blockAt, 0, events[blockAt] ?? ''),
  ],
  [
    'the end of another block',
    (events: string[]) => events.splice(-3, 0, '{"type":"content_block_stop","index":7}'),
  ],
] as const)('events out of order fail the answer: %s', (_what, disturb) => {
  const events = [...upstream]
  disturb(events)
  expect(pass(events).stream.state.failure?.kind).toBe('unreadable')
})

test('nothing is passed after the end', () => {
  const { stream } = pass(upstream)
  expect(stream.read(upstream[blockAt + 1] ?? '')).toBe('')
  expect(stream.read('{"type":"ping"}')).toBe('')
})

test('an answer is charged by the estimate that its caller is told, not by counts that make no sense', () => {
  const events = upstream.map((data) => data.replace(/"output_tokens":\d+/, '"output_tokens":-7'))
  const { stream, written } = pass(events)
  const { message } = readMessageEvents(fromLatin1(written + stream.end(told)))
  expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 5, estimated: true })
  const answer = anthropicWire.readAnswer({
    ...formats.anthropic.answer('one', said, {}),
    usage: { input_tokens: -1, output_tokens: null, service_tier: 'standard' },
  })
  const whole = readWholeAnswer(messagesSurface, anthropicWire, context, answer)
  if ('kind' in whole) throw new Error(whole.kind)
  expect(JSON.parse(whole.write(told)).usage).toMatchObject({
    input_tokens: 10,
    output_tokens: 5,
    service_tier: 'standard',
  })
})

test('the answer is known by the id that its caller gets', () => {
  expect(pass(upstream).stream.answerId?.()).toBe('msg_1')
})
