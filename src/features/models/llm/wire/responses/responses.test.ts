import { expect, test } from 'vitest'
import { sealToText } from '../../conversation/seal.ts'
import { toLatin1 } from '../../exchange/sse.ts'
import { readChatRequest } from '../../surface/chat/request.ts'
import { responsesWire } from './responses.ts'

const options = {
  slug: 'openai/gpt-5',
  upstreamModel: 'gpt-5',
  mayThink: true,
  maxTokensField: 'max_tokens',
  cacheKey: 'k',
  extraFields: { service_tier: 'flex' },
}
const hello = [{ role: 'user', content: 'Hello' }]
const write = (body: object, more: object = {}) =>
  JSON.parse(
    responsesWire.writeRequest(
      { ...readChatRequest({ model: 'openai/gpt-5', messages: hello, ...body }), ...more },
      options,
    ),
  )
const read = (events: readonly object[]) => {
  const stream = responsesWire.openStream()
  const said = events.flatMap((event) => stream.read(toLatin1(JSON.stringify(event))))
  return { said, state: stream.state }
}
const created = { type: 'response.created', response: { id: 'resp_1', created_at: 5 } }
const start = { type: 'start', id: 'resp_1', createdAt: 5 }

test('a request stores nothing and asks for encrypted reasoning', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  expect(
    write({
      max_tokens: 9,
      stream: true,
      tools,
      tool_choice: { type: 'function', function: { name: 'f' } },
      reasoning_effort: 'low',
      verbosity: 'low',
      user: 'u',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: { type: 'object' }, strict: true },
      },
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: 'Yes',
          tool_calls: [
            { id: 'c'.repeat(80), type: 'function', function: { name: 'f', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c'.repeat(80), content: 'done' },
      ],
    }),
  ).toEqual({
    service_tier: 'flex',
    model: 'gpt-5',
    max_output_tokens: 9,
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
    safety_identifier: 'u',
    reasoning: { effort: 'low' },
    text: {
      format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
      verbosity: 'low',
    },
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
    tool_choice: { type: 'function', name: 'f' },
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'https://example.org/a.png', detail: 'low' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
      },
      {
        type: 'function_call',
        call_id: expect.stringMatching(/^call_\w{40}$/),
        name: 'f',
        arguments: '{}',
      },
      {
        type: 'function_call_output',
        call_id: expect.stringMatching(/^call_\w{40}$/),
        output: 'done',
      },
    ],
  })
})

test('the caller’s own body is sent with reasoning of this model alone', () => {
  const reasoning = (encrypted_content: string | null) => ({
    type: 'reasoning',
    id: 'rs',
    summary: [],
    encrypted_content,
  })
  const tagged = (model: string) => sealToText({ maker: 'responses', model, data: 'sealed' })
  const input = [
    reasoning('raw'),
    reasoning(tagged('openai/gpt-5')),
    reasoning(tagged('openai/o3')),
    reasoning(sealToText({ maker: 'anthropic', data: 'x' })),
    reasoning(null),
    { role: 'user', content: 'Hello' },
  ]
  const native = { wire: 'responses', body: { input, include: ['message.output_text.logprobs'] } }
  expect(write({ max_tokens: 7 }, { extended: true, native })).toEqual({
    service_tier: 'flex',
    model: 'gpt-5',
    max_output_tokens: 7,
    store: false,
    stream: false,
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    input: [reasoning('raw'), reasoning('sealed'), { role: 'user', content: 'Hello' }],
  })
})

test.each([
  [{ n: 2 }, 'gives only one choice: omit n'],
  [{ logprobs: true }, 'gives no log probabilities: omit logprobs'],
  [{ stop: 'x', seed: 1 }, 'does not take stop, seed: omit stop, seed'],
])('%o is refused before it is sent', (more, why) => {
  expect(responsesWire.cannot(readChatRequest({ model: 'm', messages: hello, ...more }))).toBe(why)
})

test('custom tools stay custom tools', () => {
  const custom = { name: 'patch', description: 'd', format: { type: 'text' } }
  const fields = {
    messages: [
      ...hello,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: '*' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok', is_error: true },
    ],
    tools: [{ type: 'custom', custom }],
  }
  const body = write({}, { extended: true, fields })
  expect(body.tools).toEqual([{ type: 'custom', ...custom }])
  expect(body.input.slice(1)).toEqual([
    { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'Error:\nok' },
  ])
})

test('items that come without pieces, or with the end alone, are not lost', () => {
  const message = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }
  const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' }
  const { said, state } = read([
    created,
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
    { type: 'response.output_item.done', output_index: 0, item: message },
    {
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [message, called],
        usage: {
          input_tokens: 10,
          output_tokens: 4,
          input_tokens_details: { cached_tokens: 6, cache_write_tokens: 2 },
          output_tokens_details: { reasoning_tokens: 3 },
        },
      },
    },
  ])
  expect(said).toEqual([
    start,
    { type: 'text', choice: 0, text: 'Hi' },
    { type: 'call', choice: 0, index: 0, id: 'c', name: 'f', kind: 'function' },
    { type: 'arguments', choice: 0, index: 0, text: '{"a":1}' },
    { type: 'end', choice: 0, reason: 'tool_calls' },
  ])
  expect(state).toMatchObject({
    done: true,
    usage: { promptTokens: 10, completionTokens: 4, cacheReadTokens: 6, cacheWriteTokens: 2 },
    usageFields: { completion_tokens_details: { reasoning_tokens: 3 } },
  })
})

const item = (content: string) => ({
  type: 'message',
  content: [{ type: 'output_text', text: content }],
})
const opened = { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } }
const piece = (delta: string) => ({ type: 'response.output_text.delta', output_index: 0, delta })
const closed = { type: 'response.output_item.done', output_index: 0, item: item('Hello, you') }

test.each([
  ['before its item', [piece('Hello'), opened, piece(', you'), closed]],
  ['lost', [opened, piece(', you'), closed]],
  ['twice', [opened, piece('Hello'), piece('Hello'), piece(', you'), closed]],
  ['in another order', [opened, piece(', you'), piece('Hello'), closed]],
])('pieces that come %s fail the stream, instead of a text with a gap', (_what, events) => {
  expect(read([created, ...events]).state.failure?.kind).toBe('unreadable')
})

test('the end of a text that came without a piece is told', () => {
  const late = [opened, piece('Hello'), closed, piece(', you')]
  expect(read([created, ...late]).said).toEqual([
    start,
    { type: 'text', choice: 0, text: 'Hello' },
    { type: 'text', choice: 0, text: ', you' },
  ])
})

test('white space and arguments that are written anew do not fail an answer', () => {
  const text = [opened, piece('Hello, you '), closed]
  const call = { type: 'function_call', call_id: 'c', name: 'f' }
  const called = [
    { type: 'response.output_item.added', output_index: 1, item: call },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a":1}' },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...call, arguments: '{ "a": 1 }' },
    },
  ]
  expect(read([created, ...text, ...called]).state.failure).toBeUndefined()
})

test('parts of a summary are separated, and reasoning without a text is a hidden thought', () => {
  const at = (output_index: number, event: object) => ({ output_index, ...event })
  const { said } = read([
    created,
    at(0, {
      type: 'response.output_item.added',
      item: { type: 'reasoning', id: 'rs_1', summary: [] },
    }),
    ...['a', 'b'].flatMap((delta) => [
      at(0, { type: 'response.reasoning_summary_part.added' }),
      at(0, { type: 'response.reasoning_summary_text.delta', delta }),
    ]),
    at(0, {
      type: 'response.output_item.done',
      item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'e' },
    }),
    at(1, {
      type: 'response.output_item.done',
      item: { type: 'reasoning', id: 'rs_2', encrypted_content: 'f', summary: [] },
    }),
  ])
  expect(said.slice(1)).toEqual([
    ...['a', '\n\n', 'b'].map((text) => ({ type: 'thought', choice: 0, index: 0, text })),
    {
      type: 'thought_end',
      choice: 0,
      index: 0,
      seal: { maker: 'responses', id: 'rs_1', data: 'e' },
    },
    {
      type: 'thought_end',
      choice: 0,
      index: 1,
      seal: { maker: 'responses', id: 'rs_2', data: 'f', hidden: true },
    },
  ])
})

test.each([
  [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
  [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
])('a response that is %o ends by %s', (response, reason) => {
  const { said, state } = read([created, { type: 'response.incomplete', response }])
  expect(said.at(-1)).toEqual({ type: 'end', choice: 0, reason })
  expect(state.failure).toBeUndefined()
})

test.each([
  [{ type: 'error', code: 'rate_limit_exceeded', message: 'x' }, 'busy'],
  [{ type: 'error', code: 'server_error', message: 'x' }, 'server'],
  [
    { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    'server',
  ],
  [
    { type: 'response.failed', response: { status: 'failed', error: { code: 'invalid_prompt' } } },
    'invalid',
  ],
  [{ type: 'response.completed' }, 'unreadable'],
])('%o fails the stream as %s', (event, kind) => {
  const { said, state } = read([created, event])
  expect(said).toEqual([start])
  expect(state.failure?.kind).toBe(kind)
})

test('a damaged event fails the stream', () => {
  const stream = responsesWire.openStream()
  stream.read('{"type":"response.output_te')
  expect(stream.state.failure?.kind).toBe('unreadable')
})

test.each([
  [{ id: 'r', status: 'failed', error: { code: 'server_error' }, output: [] }, 'server'],
  [{ error: { code: 'rate_limit_exceeded', message: 'x' } }, 'busy'],
])('a 200 that holds %o is the failure %s', (json, kind) => {
  expect(responsesWire.readAnswer(json)).toMatchObject({ kind })
})

test.each([{ status: 'in_progress', output: [] }, { status: 'completed' }, [], 'x'])(
  '%o is not an answer',
  (json) => {
    expect(() => responsesWire.readAnswer(json)).toThrow(TypeError)
  },
)
