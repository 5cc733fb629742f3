import { expect, test } from 'vitest'
import type { ChatFields } from '../../conversation/fields.ts'
import type { DescribeHosted } from '../../conversation/hosted-calls.ts'
import { sealToText } from '../../conversation/seal.ts'
import { readLinks, readResponsesRequest } from './request.ts'

const sold: DescribeHosted = (kind) =>
  kind === 'web_search' ? { description: 'Search.', parameters: { type: 'object' } } : undefined
const read = (body: object, history: Record<string, unknown>[] = []) =>
  readResponsesRequest(readLinks({ model: 'lab/one', input: 'Hi', ...body }), history, sold)
const refusal = (body: object) => {
  try {
    read(body)
  } catch (error) {
    return error as { code: string; message: string; data: { param: string } }
  }
  throw new Error('It was accepted.')
}
const call = (id: string, more = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'look',
  arguments: '{}',
  ...more,
})
const output = (id: string, text = 'seen') => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})

test('a text and instructions become messages', () => {
  const { request } = read({ instructions: 'Be brief.' })
  expect(request.fields.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  ])
  expect(request).toMatchObject({ model: 'lab/one', stream: false, maxTokens: 16_384 })
})

test('parallel calls and the reasoning before them become one turn of the assistant', () => {
  const encrypted = sealToText({ maker: 'anthropic', model: 'claude/one', data: 'signature' })
  const { request } = read({
    input: [
      { role: 'user', content: 'Look twice.' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Two looks.' }],
        encrypted_content: encrypted,
      },
      call('one'),
      call('two'),
      output('two', 'second'),
      output('one', 'first'),
      { role: 'assistant', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] },
      call('three'),
      output('three'),
    ],
  })
  const called = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  })
  expect(request.fields.messages).toEqual([
    { role: 'user', content: 'Look twice.' },
    {
      role: 'assistant',
      content: null,
      thoughts: [
        {
          text: 'Two looks.',
          seal: { maker: 'anthropic', model: 'claude/one', data: 'signature' },
        },
      ],
      tool_calls: [called('one'), called('two')],
    },
    { role: 'tool', tool_call_id: 'two', content: 'second' },
    { role: 'tool', tool_call_id: 'one', content: 'first' },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      tool_calls: [called('three')],
    },
    { role: 'tool', tool_call_id: 'three', content: 'seen' },
  ])
})

test('reasoning that no gateway has sealed belongs to models of this format', () => {
  const { request } = read({
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: 'gAAA' },
      { role: 'assistant', content: 'Hello' },
    ],
  })
  expect(request.fields.messages[1].thoughts).toEqual([
    { text: '', seal: { maker: 'responses', id: 'rs_9', data: 'gAAA' } },
  ])
})

test('functions of a namespace get names of their own, in the history too', () => {
  const inner = { type: 'function', name: 'close', parameters: { type: 'object' } }
  const { request, names } = read({
    tools: [
      { type: 'function', name: 'agents__close', parameters: {} },
      { type: 'namespace', name: 'agents', description: 'Agents', tools: [inner] },
    ],
    input: [
      { role: 'user', content: 'Close.' },
      call('one', { name: 'close', namespace: 'agents' }),
      output('one'),
    ],
  })
  expect(request.fields.tools.map((tool: ChatFields) => tool.function.name)).toEqual([
    'agents__close',
    'agents__close_2',
  ])
  expect(names.get('agents__close_2')).toEqual({
    name: 'close',
    namespace: 'agents',
    kind: 'function',
  })
  expect(request.fields.messages[1].tool_calls[0].function.name).toBe('agents__close_2')
})

test('hosted tools that are sold become functions, and others are left out and named', () => {
  const { request, hosted } = read({
    tools: [{ type: 'web_search', external_web_access: true }, { type: 'image_generation' }],
  })
  expect(request.fields.tools).toEqual([
    {
      type: 'function',
      function: { name: 'web_search', description: 'Search.', parameters: { type: 'object' } },
    },
  ])
  expect(hosted).toMatchObject([{ kind: 'web_search', name: 'web_search' }])
  expect(request.dropped).toEqual(['tools.image_generation'])
  expect(refusal({ tools: [{ type: 'mcp' }], tool_choice: { type: 'mcp' } }).data.param).toBe(
    'tool_choice',
  )
  expect(refusal({ tools: [{ type: 'mcp' }], tool_choice: 'required' }).data.param).toBe(
    'tool_choice',
  )
})

test('custom tools keep their grammar', () => {
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
  const { request } = read({
    tools: [{ type: 'custom', name: 'patch', format }],
    tool_choice: { type: 'custom', name: 'patch' },
  })
  expect(request.fields).toMatchObject({
    tools: [
      {
        type: 'custom',
        custom: {
          name: 'patch',
          format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
        },
      },
    ],
    tool_choice: { type: 'custom', custom: { name: 'patch' } },
  })
})

test('structured output, reasoning and sampling are passed on', () => {
  const schema = { type: 'object', properties: {} }
  const { request } = read({
    text: {
      format: { type: 'json_schema', name: 'answer', schema, strict: true },
      verbosity: 'low',
    },
    reasoning: { effort: 'high', summary: 'auto' },
    temperature: 0.5,
    max_output_tokens: 500,
  })
  expect(request).toMatchObject({
    maxTokens: 500,
    fields: {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema, strict: true },
      },
      verbosity: 'low',
      reasoning: { effort: 'high', summary: 'auto' },
      temperature: 0.5,
    },
  })
})

test.each([
  [{ frequency_penalty: 1 }, 'frequency_penalty'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  [{ input: [] }, 'input'],
  [{ input: [{ type: 'computer_call' }] }, 'input[0].type'],
  [{ input: [{ role: 'user', content: 'x', colour: 'red' }] }, 'input[0].colour'],
  [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
  [{ input: [call('one')] }, 'input[0]'],
  [{ input: [output('one')] }, 'input[0].call_id'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'file:///etc' }] }] },
    'input[0].content[0].image_url',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
    'input[0].content[0].file_id',
  ],
  [
    {
      input: [
        { role: 'user', content: [{ type: 'input_file', file_url: 'http://10.0.0.1/a.pdf' }] },
      ],
    },
    'input[0].content[0].file_url',
  ],
  [{ tools: [{ type: 'function', name: 'a b' }] }, 'tools[0].name'],
  [{ tools: 'none' }, 'tools'],
  [{ tool_choice: { type: 'function', name: 'none' } }, 'tool_choice'],
  [{ max_output_tokens: 0 }, 'max_output_tokens'],
  [{ max_output_tokens: 1.5 }, 'max_output_tokens'],
  [{ top_logprobs: 3 }, 'top_logprobs'],
  [{ include: ['message.output_text.logprobs'] }, 'include[0]'],
  [{ metadata: { a: 1 } }, 'metadata'],
  [{ service_tier: 'priority' }, 'service_tier'],
  [{ truncation: 'some' }, 'truncation'],
  [{ background: true, stream: true }, 'stream'],
  [{ stream_options: {} }, 'stream_options'],
  [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
  [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
  [{ max_cost_cents: -1 }, 'max_cost_cents'],
])('%j is refused by name', (body, param) => {
  expect(refusal(body)).toMatchObject({ code: 'bad_request', data: { param } })
})
