import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromLatin1, toLatin1 } from '../../exchange/sse.ts'
import { chatPassThrough } from './pass-through.ts'
import { readChatRequest } from './request.ts'

interface Choice {
  readonly index: number
  readonly finish_reason: string | null
}

const event = (choice: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'upstream-name',
  choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
  ...more,
})
const request = readChatRequest({ model: 'lab/one', messages: [{ role: 'user', content: 'x' }] })
const context = { request, callId: 'c', slug: 'lab/one', createdAt: 1 }
const read = (events: readonly object[]) => {
  const stream = chatPassThrough.openStream(context)
  const written = events.map((one) => stream.read(toLatin1(JSON.stringify(one))))
  const parsed = written
    .filter((text) => text !== '')
    .map((text) => JSON.parse(fromLatin1(text).slice('data: '.length)))
  return { parsed, state: stream.state }
}

test('the fast path writes the same as the slow path for any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('"content":"', '\\', '\u2028', '"usage":{'),
  )
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 8 }), (texts) => {
      const wellFormed = texts.map((text) => text.toWellFormed())
      const { parsed, state } = read(
        wellFormed.map((content) => event({ delta: { content } }, { usage: null })),
      )
      expect(parsed).toEqual(
        wellFormed.map((content) => event({ delta: { content } }, { model: 'lab/one' })),
      )
      expect(state.deliveredBytes).toBe(Buffer.byteLength(wellFormed.join('')))
    }),
  )
})

test('an event that only resembles the previous one is read correctly', () => {
  const { parsed, state } = read([
    event({ delta: { content: 'a' } }),
    event({ delta: { content: 'b' } }),
    event({ delta: { content: 'c' }, finish_reason: 'stop' }),
    event({ delta: { content: 'd' } }, { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    event({ delta: { content: '', tool_calls: [{ id: 'x', function: { name: 'f' } }] } }),
  ])
  expect(parsed.map(({ choices: [choice] }) => choice.finish_reason)).toEqual([
    null,
    null,
    'stop',
    null,
    null,
  ])
  expect(state).toMatchObject({ finished: true, usage: { promptTokens: 1, completionTokens: 2 } })
})

test('tool calls are numbered if the upstream does not number them', () => {
  const call = (more: object) => event({ delta: { tool_calls: [more] } })
  const { parsed } = read([
    call({ id: 'a', function: { name: 'f', arguments: '' } }),
    call({ function: { arguments: '{}' } }),
    call({ id: 'b', function: { name: 'g', arguments: '' } }),
    call({ id: 'b', function: { arguments: '{}' } }),
    event({ finish_reason: 'stop' }),
  ])
  const deltas = parsed.map(({ choices: [choice] }) => choice)
  expect(deltas.slice(0, 4).map(({ delta }) => delta.tool_calls[0].index)).toEqual([0, 0, 1, 1])
  expect(deltas[4].finish_reason).toBe('tool_calls')
})

test('a usage event that repeats the end is dropped, and reasoning is passed on', () => {
  const { parsed, state } = read([
    event({ delta: { reasoning: 'hm' } }),
    event({ finish_reason: 'stop' }),
    event(
      { finish_reason: 'stop', delta: { content: '' } },
      { usage: { prompt_tokens: 3, completion_tokens: 4, cost: 0.001 } },
    ),
  ])
  expect(parsed).toHaveLength(2)
  expect(parsed[0].choices[0].delta).toEqual({ reasoning: 'hm' })
  expect(state).toMatchObject({ usage: { promptTokens: 3 }, costUsd: 0.001 })
})

test('an event without text does not start the fast path', () => {
  const { parsed, state } = read(['', 'a', 'b'].map((content) => event({ delta: { content } })))
  expect(parsed).toHaveLength(3)
  expect(state).toMatchObject({ begun: true, deliveredBytes: 2 })
})

test('each choice has its own end, and the stream ends with the last of them', () => {
  const choice = (index: number, more: object) => event({ index, ...more })
  const events = [
    choice(0, { delta: { content: 'a' } }),
    choice(1, { delta: { content: 'b' } }),
    choice(0, { finish_reason: 'stop' }),
    choice(1, { delta: { content: 'c' } }),
    choice(1, { finish_reason: 'length' }),
  ]
  const finishes = ({ choices: [{ index, finish_reason }] }: { choices: [Choice] }) => [
    index,
    finish_reason,
  ]
  expect(read(events.slice(0, 4)).state.finished).toBe(false)
  const { parsed, state } = read(events)
  expect(parsed.map(finishes)).toEqual([
    [0, null],
    [1, null],
    [0, 'stop'],
    [1, null],
    [1, 'length'],
  ])
  expect(state.finished).toBe(true)
})

test.each([{ delta: null }, { delta: undefined }, { index: undefined }])(
  'a choice with %o has what clients read without looking',
  (more) => {
    const { parsed } = read([event(more), event({ finish_reason: 'stop' })])
    expect(parsed[0].choices[0]).toEqual({ index: 0, delta: {}, finish_reason: null })
  },
)

// Source: https://github.com/ollama/ollama/issues/15457
test('tool calls that share an index are kept separate', () => {
  const call = (id: string | undefined, name: string | undefined, text: string) =>
    event({
      delta: { tool_calls: [{ index: 0, id, function: { name, arguments: text } }] },
    })
  const { parsed } = read([
    call('a', 'f', ''),
    call(undefined, undefined, '{}'),
    call('b', 'f', '{'),
    call(undefined, undefined, '}'),
    // An upstream that invents an id for each piece means the same call.
    call('c', undefined, ' '),
  ])
  expect(parsed.map(({ choices: [{ delta }] }) => delta.tool_calls[0].index)).toEqual([
    0, 0, 1, 1, 1,
  ])
})

// Source: https://platform.openai.com/docs/guides/error-codes: the type names the limit, the code the excess.
test.each([
  [{ type: 'tokens', code: 'rate_limit_exceeded', message: 'x' }, 'busy'],
  [{ type: 'server_error', code: null, message: 'x' }, 'server'],
  [{ type: 'invalid_request_error', code: 'context_length_exceeded', message: 'x' }, 'context'],
])('an error in a stream of %o is the failure %s', (error, kind) => {
  expect(read([{ error }]).state.failure?.kind).toBe(kind)
})
