import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import type { AnswerEvent } from '../../conversation/answer-event.ts'
import { fromLatin1 } from '../../exchange/sse.ts'
import { createResponseWriter } from './writer.ts'

const told = {
  usage: { promptTokens: 10, completionTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 0 },
  thoughtTokens: 3,
  usageFields: {},
  micros: 30,
  estimated: false,
}
const open = (include: string[] = []) =>
  createResponseWriter({
    facts: { id: 'resp_abc', createdAt: 1, model: 'lab/one', store: false, echo: { tools: [] } },
    names: new Map([
      ['space__run', { name: 'run', namespace: 'space', kind: 'function' }],
      ['patch', { name: 'patch', kind: 'custom' }],
    ]),
    include: new Set(include),
    isWithheld: () => false,
    hosted: [{ kind: 'web_search', name: 'web_search', settings: {} }],
    now: () => 5_000,
  })
const parse = (sent: string) =>
  fromLatin1(sent)
    .split('\n\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
const choice = 0
const text = (said: string): AnswerEvent => ({ type: 'text', choice, text: said })
const call = (
  index: number,
  name: string,
  kind: 'function' | 'custom' = 'function',
): AnswerEvent => ({
  type: 'call',
  choice,
  index,
  id: `call_${index}`,
  name,
  kind,
})
const args = (index: number, said: string): AnswerEvent => ({
  type: 'arguments',
  choice,
  index,
  text: said,
})
const end = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'): AnswerEvent => ({
  type: 'end',
  choice,
  reason,
})
const write = (writer: ReturnType<typeof open>, events: AnswerEvent[]) =>
  events.map((event) => writer.write(event)).join('')

test('a text is announced, told in pieces and closed, in the order of the vendor', () => {
  const writer = open()
  const events = parse(
    write(writer, [
      { type: 'start', id: 'x', createdAt: 1 },
      text('Grüß '),
      text('👋'),
      end('stop'),
    ]) + writer.end(told),
  )
  expect(events.map((event) => event.type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, place) => place))
  expect(events.at(-1).response).toMatchObject({
    id: 'resp_abc',
    object: 'response',
    status: 'completed',
    completed_at: 5,
    incomplete_details: null,
    error: null,
    model: 'lab/one',
    output: [
      {
        id: 'msg_abc_0',
        type: 'message',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Grüß 👋' }],
      },
    ],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 15,
      cost: 0.00003,
    },
  })
})

test('reasoning, parallel calls and custom tools become items with their own names', () => {
  const writer = open(['reasoning.encrypted_content'])
  const events = parse(
    write(writer, [
      { type: 'thought', choice, index: 0, text: 'Hm.' },
      { type: 'thought_end', choice, index: 0, seal: { maker: 'anthropic', data: 'sig' } },
      call(0, 'space__run'),
      args(0, '{"a"'),
      args(0, ':1}'),
      call(1, 'patch', 'custom'),
      args(1, '*** Begin'),
      end('tool_calls'),
    ]) + writer.end(told),
  )
  const done = events.filter((event) => event.type === 'response.output_item.done')
  expect(done.map(({ item }) => item)).toMatchObject([
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: expect.stringMatching(/^tollway\./),
    },
    {
      type: 'function_call',
      name: 'run',
      namespace: 'space',
      call_id: 'call_0',
      arguments: '{"a":1}',
      status: 'completed',
    },
    { type: 'custom_tool_call', name: 'patch', call_id: 'call_1', input: '*** Begin' },
  ])
  expect(events.at(-1).response.output).toEqual(done.map(({ item }) => item))
  const ids = new Map(
    events
      .filter((event) => event.type === 'response.output_item.added')
      .map(({ output_index: index, item }) => [index, item.id]),
  )
  for (const event of events)
    if (event.item_id !== undefined) expect(event.item_id).toBe(ids.get(event.output_index))
})

test('the seal of reasoning is sent only if it is asked for, and kept in any case', () => {
  const writer = open()
  write(writer, [
    { type: 'thought_end', choice, index: 0, seal: { maker: 'responses', data: 'sealed' } },
    text('Hi'),
    end('stop'),
  ])
  expect(JSON.parse(writer.whole(told)).output[0]).toEqual({
    id: 'rs_abc_0',
    type: 'reasoning',
    summary: [],
  })
  expect(writer.kept()?.output[0].encrypted_content).toMatch(/\.sealed$/)
})

test('an answer that was cut is incomplete and says why', () => {
  const cut = open()
  const [last] = parse(write(cut, [text('The'), end('length')]) + cut.end(told)).slice(-1)
  expect(last).toMatchObject({
    type: 'response.incomplete',
    response: {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    },
  })
  const filtered = open()
  write(filtered, [text('The'), end('content_filter')])
  expect(JSON.parse(filtered.whole(told)).incomplete_details).toEqual({ reason: 'content_filter' })
})

test('a refusal is a part of its own', () => {
  const writer = open()
  const events = parse(
    write(writer, [text('Well, '), { type: 'refusal', choice, text: 'no.' }, end('stop')]) +
      writer.end(told),
  )
  expect(events.at(-1).response.output[0].content).toMatchObject([
    { type: 'output_text', text: 'Well, ' },
    { type: 'refusal', refusal: 'no.' },
  ])
  expect(events.map(({ type }) => type)).toContain('response.refusal.done')
})

test('a failure closes what is open, says our code and ends with a failed response', () => {
  const writer = open()
  const events = parse(write(writer, [text('The')]) + writer.fail(fail('upstream_error')))
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', code: 'upstream_error', param: null, error: { code: 'upstream_error' } },
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' }, usage: null },
    },
  ])
})

test('what a model says after it has told the end is part of the response', () => {
  const events: AnswerEvent[] = [text('Hell'), end('stop'), text('o!')]
  for (const stream of [true, false]) {
    const writer = open()
    const written = write(writer, events)
    const response = stream
      ? parse(written + writer.end(told)).at(-1).response
      : JSON.parse(writer.whole(told))
    expect(response.output).toMatchObject([
      { status: 'completed', content: [{ text: 'Hell' }] },
      { status: 'completed', content: [{ text: 'o!' }] },
    ])
    expect(writer.kept()?.output).toHaveLength(2)
  }
})
