import { expect, test } from 'vitest'
import { fromLatin1, toLatin1 } from '../exchange/sse.ts'
import { openAnswerStream } from '../surface/answer-stream.ts'
import { chatSurface } from '../surface/chat/chat.ts'
import { completionOf } from '../surface/chat/completion.ts'
import { readChatRequest } from '../surface/chat/request.ts'
import { anthropicWire } from './anthropic.ts'
import { writeAnthropicRequest } from './anthropic-request.ts'

const options = {
  slug: 'anthropic/claude',
  upstreamModel: 'claude',
  mayThink: true,
  maxTokensField: 'max_tokens',
  cacheKey: undefined,
  extraFields: {},
}
const write = (body: object) =>
  writeAnthropicRequest(readChatRequest({ model: 'm', ...body }), options)

test('a conversation with tools and images is translated', () => {
  const written = write({
    max_tokens: 100,
    temperature: 1.5,
    stop: 'END',
    user: 'u1',
    seed: 4,
    parallel_tool_calls: false,
    tool_choice: { type: 'function', function: { name: 'weather' } },
    tools: [
      {
        type: 'function',
        function: { name: 'weather', description: 'd', parameters: { type: 'object' } },
      },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', schema: { type: 'object' } },
    },
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Wien"}' },
          },
          { id: 'b', type: 'function', function: { name: 'weather', arguments: 'oops' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'user', content: 'And now?' },
    ],
  })
  expect(written).toEqual({
    model: 'claude',
    max_tokens: 100,
    temperature: 1,
    stop_sequences: ['END'],
    metadata: { user_id: 'u1' },
    system: [{ type: 'text', text: 'Be brief.' }],
    tools: [{ name: 'weather', description: 'd', input_schema: { type: 'object' } }],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
          { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Wien' } },
          { type: 'tool_use', id: 'b', name: 'weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'sunny' }] },
          { type: 'tool_result', tool_use_id: 'b', content: [] },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  })
})

test('cached tokens are part of the prompt', () => {
  const answer = anthropicWire.readAnswer({
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Hi' },
    ],
    stop_reason: 'refusal',
    usage: {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    },
  })
  expect(answer).toMatchObject({
    usage: { promptTokens: 130, completionTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 20 },
  })
  expect('kind' in answer ? answer : completionOf(answer, anthropicWire)).toMatchObject({
    choices: [
      { finish_reason: 'content_filter', message: { content: 'Hi', reasoning_content: 'hm' } },
    ],
  })
})

test.each([-5, 1.5, '10', null, 1e12])('a count that makes no sense is ignored: %s', (count) => {
  const usage = { input_tokens: count, output_tokens: 5 }
  const answer = { type: 'message', content: [], stop_reason: 'end_turn' }
  expect(anthropicWire.readAnswer({ ...answer, usage })).toMatchObject({ usage: undefined })
  const cached = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: count }
  expect(anthropicWire.readAnswer({ ...answer, usage: cached })).toMatchObject({
    usage: { promptTokens: 10, cacheReadTokens: 0 },
  })
})

test('an answer ends once, though several events tell its end', () => {
  const reader = anthropicWire.openStream()
  const end = (tokens: number) =>
    JSON.stringify({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 1, output_tokens: tokens },
    })
  expect([...reader.read(end(5)), ...reader.read(end(8))]).toEqual([
    { type: 'end', choice: 0, reason: 'stop' },
  ])
  expect(reader.state.usage?.completionTokens).toBe(8)
})

test.each([{ n: 2 }, { logprobs: true }, { stop: ['END', '\n'] }])(
  '%o is refused before it is sent',
  (more) => {
    const chat = readChatRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      ...more,
    })
    expect(anthropicWire.cannot(chat)).toMatch(/omit|remove/)
  },
)

const request = readChatRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }] })
const context = { request, callId: 'c', slug: 'claude/one', createdAt: 1 }

/** The calls as a client joins them. */
function callsOf(events: readonly object[]) {
  const stream = openAnswerStream(chatSurface, anthropicWire, context)
  const calls: string[] = []
  for (const event of events) {
    const written = fromLatin1(stream.read(toLatin1(JSON.stringify(event))))
    for (const piece of written.split('\n\n').filter((text) => text !== ''))
      for (const call of JSON.parse(piece.slice(6)).choices[0].delta.tool_calls ?? [])
        calls[call.index] = (calls[call.index] ?? '') + call.function.arguments
  }
  return calls
}

// Source: https://github.com/langchain-ai/langchain/pull/23915 and https://github.com/earendil-works/pi/pull/2593
test('the arguments of a call are JSON, even if there are none or all arrive at once', () => {
  const block = (index: number, input: object, ...pieces: string[]) => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input },
    },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index },
  ]
  expect(
    callsOf([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_stop', index: 0 },
      ...block(1, {}, ''),
      ...block(2, {}),
      ...block(3, { city: 'Wien' }),
      ...block(4, {}, '{"city":', '"Wien"}'),
    ]),
  ).toEqual(['{}', '{}', '{"city":"Wien"}', '{"city":"Wien"}'])
})

const user = (content: unknown) => ({ role: 'user', content })
const turn = (role: string, ...texts: string[]) => ({
  role,
  content: texts.map((text) => ({ type: 'text', text })),
})

// Source: https://github.com/experientiallabs/experiential/pull/804
test.each([
  [
    'an empty answer between two questions',
    [user('a'), { role: 'assistant', content: '' }, user('b')],
    [turn('user', 'a', 'b')],
  ],
  ['white space for a question', [user('a'), user(' \n')], [turn('user', 'a')]],
  [
    'white space between texts',
    [user(['a', '\n', 'b'].map((text) => ({ type: 'text', text })))],
    [turn('user', 'a', '\n', 'b')],
  ],
  ['instructions alone', [{ role: 'system', content: 'a' }], [turn('user', 'a')]],
])('%s is told so that it is taken', (_name, messages, turns) => {
  const written = write({ messages })
  expect(written.messages).toEqual(turns)
  expect(written).not.toHaveProperty('system')
})

test('instructions of white space are dropped', () => {
  const messages = [
    { role: 'system', content: ' ' },
    { role: 'developer', content: 'b' },
    user('c'),
  ]
  expect(write({ messages }).system).toEqual([{ type: 'text', text: 'b' }])
})

// Source: https://github.com/maximhq/bifrost/issues/5097
test('ids of calls by another vendor are converted to its characters', () => {
  const id = 'functions.weather:0'
  const call = { id, type: 'function', function: { name: 'weather', arguments: '{}' } }
  const { messages } = write({
    messages: [
      user('a'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: 'sunny' },
    ],
  })
  expect(messages[1].content[0].id).toBe('functions_weather_0')
  expect(messages[2].content[0].tool_use_id).toBe('functions_weather_0')
})

// Source: https://platform.claude.com/docs/en/about-claude/models/migration-guide
test.each([
  ['claude-3-haiku-20240307', { temperature: 0.5, top_k: 5 }],
  ['claude-opus-4-20250514', { temperature: 0.5, top_k: 5 }],
  ['claude-haiku-4-5', { temperature: 0.5, top_k: 5 }],
  ['claude-sonnet-4-6', { temperature: 0.5, top_k: 5 }],
  ['claude-opus-4-7', {}],
  ['claude-opus-4-8', {}],
  ['claude-sonnet-5', {}],
])('%s is told how to choose words as far as it takes that', (upstreamModel, expected) => {
  const chat = readChatRequest({
    model: 'm',
    messages: [user('a')],
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
  })
  const { temperature, top_p, top_k } = writeAnthropicRequest(chat, { ...options, upstreamModel })
  expect({ temperature, top_p, top_k }).toEqual(expected)
})

test('top_p is sent if temperature is not', () => {
  expect(write({ messages: [user('a')], top_p: 0.9 })).toMatchObject({ top_p: 0.9 })
})

// Source: https://docs.claude.com/en/api/messages: the schema of a tool describes an object.
test.each([{}, { properties: {} }, undefined])(
  'a tool with the schema %o takes an object',
  (parameters) => {
    const tools = [{ type: 'function', function: { name: 'f', parameters } }]
    const written = write({ messages: [user('a')], tools })
    expect(written.tools[0].input_schema).toEqual({ type: 'object', ...parameters })
  },
)
