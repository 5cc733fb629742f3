// Thoughts, documents and cache marks of requests that other surfaces read.
import { expect, test } from 'vitest'
import type { ThoughtSeal } from '../conversation/answer-event.ts'
import { newModelRequest } from '../conversation/model-request.ts'
import { sealToText } from '../conversation/seal.ts'
import { toLatin1 } from '../exchange/sse.ts'
import { anthropicWire } from './anthropic.ts'

const slug = 'anthropic/claude-sonnet-4'
const user = { role: 'user', content: 'x' }
const requestOf = ({
  model = slug,
  maxTokens = 10_000,
  native,
  ...fields
}: Record<string, unknown>) =>
  newModelRequest({
    model: model as string,
    maxTokens: maxTokens as number,
    stream: true,
    includeUsage: false,
    n: 1,
    maxCostMicros: undefined,
    promptCacheKey: undefined,
    extended: true,
    fields: { messages: [user], ...fields },
    ...(native === undefined ? {} : { native: { wire: 'anthropic', body: native as object } }),
  })
const optionsOf = (upstreamModel: string) => ({
  slug,
  upstreamModel,
  mayThink: true,
  maxTokensField: 'max_tokens',
  cacheKey: undefined,
  extraFields: {},
})
const ask = (fields: Record<string, unknown>, upstreamModel = 'claude-sonnet-4-0') => {
  const request = requestOf(fields)
  const options = optionsOf(upstreamModel)
  return {
    body: JSON.parse(anthropicWire.writeRequest(request, options)),
    dropped: anthropicWire.drops(request, options),
  }
}
const thinking = (text: string, seal: ThoughtSeal) => ({ text, seal })
const turn = (...thoughts: object[]) => ({ role: 'assistant', content: 'a', thoughts })

test('thoughts go back to the model that made them', () => {
  const { body, dropped } = ask({
    messages: [
      user,
      turn(
        thinking('one', { maker: 'anthropic', data: 's1' }),
        thinking('', { maker: 'anthropic', model: slug, data: 's2', hidden: true }),
      ),
      user,
    ],
  })
  expect(body.messages[1].content).toEqual([
    { type: 'thinking', thinking: 'one', signature: 's1' },
    { type: 'redacted_thinking', data: 's2' },
    { type: 'text', text: 'a' },
  ])
  expect(dropped).toEqual([])
})

test.each([
  ['another model', { maker: 'anthropic', model: 'anthropic/claude-opus-4', data: 's' }],
  ['another maker', { maker: 'responses', model: slug, data: 's' }],
] as const)('thoughts of %s are left out, and that is told', (_name, seal) => {
  const { body, dropped } = ask({ messages: [user, turn(thinking('one', seal)), user] })
  expect(body.messages[1].content).toEqual([{ type: 'text', text: 'a' }])
  expect(dropped).toEqual(['thoughts'])
})

test('a tier cannot know who made a thought that does not say so', () => {
  const seal = { maker: 'anthropic', data: 's' } as const
  const { dropped } = ask({
    model: 'tollway/mid',
    messages: [user, turn(thinking('one', seal)), user],
  })
  expect(dropped).toEqual(['thoughts'])
})

test('the caller’s own body is sent with the seals of this model in the vendor’s form', () => {
  const block = (signature: string) => ({ type: 'thinking', thinking: 't', signature })
  const own = sealToText({ maker: 'anthropic', model: slug, data: 'sealed' })
  const other = sealToText({ maker: 'anthropic', model: 'anthropic/claude-opus-4', data: 'x' })
  const text = { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }
  const messages = [
    user,
    { role: 'assistant', content: [block('raw'), block(own), block(other), text] },
    user,
  ]
  const native = {
    messages,
    system: 'Be brief.',
    thinking: { type: 'adaptive' },
    metadata: { user_id: 'u' },
  }
  const { body } = ask({ native })
  expect(body).toEqual({
    ...native,
    model: 'claude-sonnet-4-0',
    max_tokens: 10_000,
    stream: true,
    messages: [user, { role: 'assistant', content: [block('raw'), block('sealed'), text] }, user],
  })
})

test.each([
  [
    { max_tokens: 2_000 },
    'claude-sonnet-4-0',
    { thinking: { type: 'enabled', budget_tokens: 2_000 } },
  ],
  [
    { max_tokens: 50_000 },
    'claude-sonnet-4-0',
    { thinking: { type: 'enabled', budget_tokens: 8_976 } },
  ],
  [{ effort: 'low' }, 'claude-sonnet-4-0', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
  [
    { effort: 'xhigh' },
    'claude-opus-4-7',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  ],
  [{ enabled: true }, 'claude-opus-4-6', { thinking: { type: 'adaptive' } }],
  [{ enabled: false }, 'claude-sonnet-4-0', {}],
])('reasoning %o asks %s to think', (reasoning, upstreamModel, expected) => {
  const { body } = ask({ reasoning, temperature: 0.5 }, upstreamModel)
  const { thinking: told, output_config } = body
  expect(JSON.parse(JSON.stringify({ thinking: told, output_config }))).toEqual(expected)
  // The vendor refuses other temperatures while a model thinks, and at all for newer models.
  expect(body.temperature).toBe(told === undefined ? 0.5 : undefined)
})

const called = {
  ...turn(),
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const tools = [{ type: 'function', function: { name: 'f' } }]
test.each([
  ['a forced call', { tools, tool_choice: 'required' }],
  ['a limit without room', { maxTokens: 2_000 }],
  [
    'a turn of calls that began without a thought',
    { tools, messages: [user, called, { role: 'tool', tool_call_id: 'c', content: 'r' }] },
  ],
])('%s leaves thinking out, and that is told', (_name, more) => {
  const { body, dropped } = ask({ reasoning: { effort: 'high' }, ...more })
  expect(body.thinking).toBeUndefined()
  expect(dropped).toEqual(['reasoning'])
})

test('documents, errors of tools and cache marks are translated', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  const { body } = ask({
    tools: [{ ...tools[0], cache_control }],
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
            cache_control,
          },
          { type: 'file', file: { file_url: 'https://example.org/a.pdf' } },
        ],
      },
      called,
      {
        role: 'tool',
        tool_call_id: 'c',
        is_error: true,
        cache_control,
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }],
      },
    ],
  })
  expect(body.tools[0].cache_control).toEqual(cache_control)
  expect(body.messages[0].content).toEqual([
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      title: 'a.pdf',
      cache_control,
    },
    { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
  ])
  expect(body.messages[2].content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: 'c',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
      ],
      is_error: true,
      cache_control,
    },
  ])
})

test('a stop sequence, signatures in pieces, and what an hour of cache holds are read', () => {
  const stream = anthropicWire.openStream()
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'm',
        usage: {
          input_tokens: 5,
          output_tokens: 1,
          cache_creation_input_tokens: 30,
          cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'ab' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'cd' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'redacted_thinking', data: 'r' },
    },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ]
  const said = events.flatMap((event) => stream.read(toLatin1(JSON.stringify(event))))
  const seal = (index: number, more: object) => ({
    type: 'thought_end',
    choice: 0,
    index,
    seal: { maker: 'anthropic', ...more },
  })
  expect(said.slice(1)).toEqual([
    { type: 'thought', choice: 0, index: 0, text: 'hm' },
    seal(0, { data: 'abcd' }),
    seal(1, { data: 'r', hidden: true }),
    { type: 'end', choice: 0, reason: 'stop', stopSequence: 'END' },
  ])
  expect(stream.state).toMatchObject({
    done: true,
    usage: {
      promptTokens: 35,
      completionTokens: 9,
      cacheWriteTokens: 30,
      cacheWriteHourTokens: 20,
    },
  })
})
