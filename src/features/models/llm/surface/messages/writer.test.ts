// The parts of an answer may come in any order: the stream of blocks is one that the strictest client reads, and a
// whole answer says the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '#test/model-upstream.ts'
import { readMessageEvents } from '#test/models/message-events.ts'
import type { AnswerEvent, ThoughtSeal } from '../../conversation/answer-event.ts'
import { createCallOrder } from '../../conversation/call-order.ts'
import { sealFromText } from '../../conversation/seal.ts'
import type { Told } from '../surface.ts'
import { readMessagesRequest } from './request.ts'
import { openMessageWriter } from './writer.ts'

const told: Told = {
  usage: { promptTokens: 100, completionTokens: 50, cacheReadTokens: 60, cacheWriteTokens: 10 },
  thoughtTokens: 7,
  usageFields: {},
  micros: 300,
  estimated: false,
}

function open(stream: boolean, more: Json = {}) {
  const body = { model: 'lab/one', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
  return openMessageWriter({
    request: readMessagesRequest({ ...body, stream, ...more }),
    callId: 'call',
    slug: 'lab/one',
    createdAt: 1,
  })
}

const decode = (latin1: string) => Buffer.from(latin1, 'latin1').toString()
/** The gateway puts calls in order before a surface writes them. */
function write(sent: readonly AnswerEvent[], more: Json = {}) {
  const order = createCallOrder()
  const events = sent.flatMap(order.add)
  const [streaming, whole] = [open(true, more), open(false, more)]
  const text = events.map(streaming.write).join('') + streaming.end(told)
  for (const event of events) whole.write(event)
  return {
    ...readMessageEvents(decode(text)),
    whole: JSON.parse(whole.whole(told)) as Json,
  }
}

const start: AnswerEvent = { type: 'start', id: 'chatcmpl-1', createdAt: 1 }
const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, text: said })
const thought = (index: number, said: string): AnswerEvent => ({
  type: 'thought',
  choice: 0,
  index,
  text: said,
})
const sealed = (index: number, seal: ThoughtSeal | undefined): AnswerEvent => ({
  type: 'thought_end',
  choice: 0,
  index,
  seal,
})
const call = (index: number, name = 'look'): AnswerEvent => ({
  type: 'call',
  choice: 0,
  index,
  id: `call_${index}`,
  name,
  kind: 'function',
})
const args = (index: number, piece: string): AnswerEvent => ({
  type: 'arguments',
  choice: 0,
  index,
  text: piece,
})
const end = (
  reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' = 'stop',
): AnswerEvent => ({
  type: 'end',
  choice: 0,
  reason,
})
const seal: ThoughtSeal = { maker: 'responses', model: 'lab/one', id: 'rs_1', data: 'secret' }

test('a thought, a text and two calls are four blocks, in the stream and in the whole answer', () => {
  const { message, whole } = write([
    start,
    thought(0, 'Hm'),
    thought(0, 'm.'),
    sealed(0, seal),
    text('I '),
    text('look. 🦊'),
    call(0),
    args(0, '{"a":'),
    args(0, '1}'),
    call(1),
    args(1, '{}'),
    end('tool_calls'),
  ])
  expect(message.content).toMatchObject([
    { type: 'thinking', thinking: 'Hmm.' },
    { type: 'text', text: 'I look. 🦊' },
    { type: 'tool_use', id: 'call_0', name: 'look', input: { a: 1 } },
    { type: 'tool_use', id: 'call_1', input: {} },
  ])
  expect(sealFromText(message.content[0].signature, 'anthropic')).toEqual(seal)
  expect(message).toMatchObject({
    id: 'msg_call',
    model: 'lab/one',
    stop_reason: 'tool_use',
    usage: {
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 7 },
      cost: 0.0003,
    },
  })
  expect(whole).toEqual({ ...message, usage: whole.usage })
  expect(message.usage).toMatchObject(whole.usage)
})

test('arguments of several calls that come mixed are put in order', () => {
  const { message } = write([
    start,
    call(0),
    args(0, '{"a"'),
    call(1, 'see'),
    args(1, '{"b":'),
    args(0, ':1}'),
    args(1, '2}'),
    end('tool_calls'),
  ])
  expect(message.content.map(({ name, input }: Json) => [name, input])).toEqual([
    ['look', { a: 1 }],
    ['see', { b: 2 }],
  ])
})

test('a thought without a seal gets one of the gateway, and a late seal is a block of its own', () => {
  const { message } = write([start, thought(0, 'Hm.'), text('Yes.'), sealed(0, seal), end()])
  const [first, second, third] = message.content
  expect(sealFromText(first.signature, 'anthropic')).toEqual({
    maker: 'chat',
    model: 'lab/one',
    data: '',
  })
  expect(second).toMatchObject({ type: 'text', text: 'Yes.' })
  expect(third).toMatchObject({ type: 'thinking', thinking: '' })
  expect(sealFromText(third.signature, 'anthropic')).toEqual(seal)
})

test('hidden thoughts are redacted blocks, and the vendor’s own signatures stay as they are', () => {
  const { message } = write([
    start,
    sealed(0, { ...seal, hidden: true }),
    thought(1, 'Hm.'),
    sealed(1, { maker: 'anthropic', data: 'raw-signature' }),
    text('Yes.'),
    end(),
  ])
  expect(message.content.map(({ type }: Json) => type)).toEqual([
    'redacted_thinking',
    'thinking',
    'text',
  ])
  expect(sealFromText(message.content[0].data, 'anthropic')).toEqual({ ...seal, hidden: true })
  expect(message.content[1].signature).toBe('raw-signature')
})

test('a call that the limit of tokens has cut is left out of a whole answer', () => {
  const { message, whole } = write([start, text('I'), call(0), args(0, '{"a":'), end('length')])
  expect(message.stop_reason).toBe('max_tokens')
  expect(whole).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'text' }] })
})

test.each([
  [end('stop'), 'end_turn', null],
  [end('length'), 'max_tokens', null],
  [end('content_filter'), 'refusal', null],
  [{ ...end('stop'), stopSequence: 'END' } as AnswerEvent, 'stop_sequence', 'END'],
])('the reason of an end is told (%#)', (last, stop_reason, stop_sequence) => {
  const { message, whole } = write([start, text('x'), last])
  expect(message).toMatchObject({ stop_reason, stop_sequence })
  expect(whole).toMatchObject({ stop_reason, stop_sequence })
})

test('a refusal is text with the reason refusal, and an empty answer has no blocks', () => {
  const refusal: AnswerEvent = { type: 'refusal', choice: 0, text: 'I will not.' }
  expect(write([start, refusal, end()]).message).toMatchObject({
    stop_reason: 'refusal',
    content: [{ type: 'text', text: 'I will not.' }],
  })
  expect(write([start, text(''), end()]).message.content).toEqual([])
})

test('any mixture of parts is a stream in strict order that says all of them', () => {
  const json = fc.dictionary(fc.string({ unit: 'binary' }), fc.string(), { maxKeys: 3 })
  const part = fc.oneof(
    fc.record({
      kind: fc.constant('text' as const),
      said: fc.string({ unit: 'binary', minLength: 1 }),
    }),
    fc.record({
      kind: fc.constant('thought' as const),
      said: fc.string({ minLength: 1 }),
      when: fc.constantFrom('now', 'never', 'late'),
    }),
    fc.record({ kind: fc.constant('call' as const), input: json, cut: fc.nat(5) }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, mixed) => {
      const events: AnswerEvent[] = [start]
      const later: AnswerEvent[] = []
      const expected = { texts: '', thoughts: '', inputs: [] as Json[] }
      for (const [index, each] of parts.entries()) {
        if (each.kind === 'text') {
          expected.texts += each.said
          events.push(text(each.said))
        } else if (each.kind === 'thought') {
          expected.thoughts += each.said
          events.push(thought(index, each.said))
          if (each.when === 'now') events.push(sealed(index, seal))
          if (each.when === 'late') later.push(sealed(index, seal))
        } else {
          const input = JSON.stringify(each.input)
          expected.inputs.push(JSON.parse(input))
          events.push(call(index), args(index, input.slice(0, each.cut)))
          const rest = args(index, input.slice(each.cut))
          // A thought or another part may come before the rest of the arguments.
          if (mixed && parts.every(({ kind }) => kind !== 'thought')) later.push(rest)
          else events.push(rest)
        }
      }
      const last = end(expected.inputs.length > 0 ? 'tool_calls' : 'stop')
      const { message, whole } = write([...events, ...later, last])
      const of = (type: string): Json[] =>
        message.content.filter((block: Json) => block.type === type)
      expect(
        of('text')
          .map((block) => block.text)
          .join(''),
      ).toBe(expected.texts)
      expect(
        of('thinking')
          .map((block) => block.thinking)
          .join(''),
      ).toBe(expected.thoughts)
      expect(of('tool_use').map((block) => block.input)).toEqual(expected.inputs)
      expect(whole.content).toEqual(message.content)
    }),
    { numRuns: 200 },
  )
})
