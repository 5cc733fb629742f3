// Requests of the Messages API: what each field becomes for the vendor's own upstreams and for all others, and which
// fields are refused by name.
import { describe, expect, test } from 'vitest'
import { CallError } from '#core/errors.ts'
import type { Json } from '#test/model-upstream.ts'
import { sealToText } from '../../conversation/seal.ts'
import { messagesErrorBody } from './error-body.ts'
import { readModelName } from './model-name.ts'
import { readCountRequest, readMessagesRequest } from './request.ts'

const hi = [{ role: 'user', content: 'Hi' }]
const read = (more: Json = {}) =>
  readMessagesRequest({ model: 'lab/one', max_tokens: 100, messages: hi, ...more })
const said = (content: Json, role = 'user') =>
  read({ messages: [{ role, content }] }).fields.messages
const refusal = (work: () => unknown): CallError => {
  try {
    work()
  } catch (error) {
    if (error instanceof CallError) return error
    throw error
  }
  throw new Error('It was accepted.')
}
const png = 'iVBORw0KGgo='
const ephemeral = { type: 'ephemeral' }

describe('messages', () => {
  test('system texts and turns become messages', () => {
    const { fields, native } = read({
      system: [
        { type: 'text', text: 'Be brief.', cache_control: ephemeral },
        { type: 'text', text: 'Be kind.' },
      ],
      messages: [...hi, { role: 'assistant', content: 'Hello' }, { role: 'user', content: 'So?' }],
    })
    expect(fields.messages).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be brief.', cache_control: ephemeral },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      ...hi,
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'So?' },
    ])
    expect(native?.body).toMatchObject({
      system: [{ text: 'Be brief.' }, { text: 'Be kind.' }],
    })
  })

  test('pictures, documents and search results become parts', () => {
    expect(
      said([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          title: 'report.pdf',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          cache_control: ephemeral,
        },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
        {
          type: 'search_result',
          source: 'https://example.com',
          title: 'Example',
          content: [{ type: 'text', text: 'found' }],
        },
      ]),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'text', text: 'report.pdf' },
          {
            type: 'file',
            file: { filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
            cache_control: ephemeral,
          },
          {
            type: 'file',
            file: { filename: 'document.pdf', file_url: 'https://example.com/a.pdf' },
          },
          { type: 'text', text: 'plain' },
          { type: 'text', text: 'Example\nhttps://example.com' },
          { type: 'text', text: 'found' },
        ],
      },
    ])
  })

  test('calls and their results keep their ids, and results come before what else is said', () => {
    const messages = [
      ...hi,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: true,
            content: [
              { type: 'text', text: 'broken' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            ],
          },
          { type: 'text', text: 'Try again.' },
        ],
      },
    ]
    expect(read({ messages }).fields.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_1',
        is_error: true,
        content: [
          { type: 'text', text: 'broken' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
      { role: 'user', content: 'Try again.' },
    ])
  })

  test('thoughts have their seals, and one without a seal is not for the vendor', () => {
    const seal = { maker: 'responses' as const, model: 'lab/one', id: 'rs_1', data: 'secret' }
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'raw' }
    const content = [
      thinking,
      { type: 'thinking', thinking: 'Ah.', signature: sealToText(seal) },
      { type: 'redacted_thinking', data: 'hidden' },
      { type: 'thinking', thinking: 'Lost.', signature: '' },
      { type: 'text', text: 'Yes.' },
    ]
    const { fields, native } = read({
      messages: [...hi, { role: 'assistant', content }, ...hi],
    })
    expect(fields.messages[1]).toEqual({
      role: 'assistant',
      content: 'Yes.',
      thoughts: [
        { text: 'Hm.', seal: { maker: 'anthropic', data: 'raw' } },
        { text: 'Ah.', seal },
        { text: '', seal: { maker: 'anthropic', data: 'hidden', hidden: true } },
        { text: 'Lost.' },
      ],
    })
    expect(native?.body.messages[1].content).toEqual([...content.slice(0, 3), content[4]])
  })

  test('a turn that thinks again after it has said something is two messages', () => {
    const content = [
      { type: 'text', text: 'First.' },
      { type: 'thinking', thinking: 'Hm.', signature: 'raw' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    ]
    expect(said(content, 'assistant')).toMatchObject([
      { content: 'First.' },
      { content: null, thoughts: [{ text: 'Hm.' }], tool_calls: [{ id: 'toolu_1' }] },
    ])
  })

  test('ids of other models are given to the vendor in letters that it takes', () => {
    const { native } = read({
      messages: [
        ...hi,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'functions.look:0', name: 'look', input: {} }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'functions.look:0', content: 'x' }],
        },
      ],
    })
    expect(JSON.stringify(native?.body.messages).match(/functions[^"]*/g)).toEqual([
      'functions_look_0',
      'functions_look_0',
    ])
  })

  test('names that the vendor refuses keep the body from being passed on as it is', () => {
    const tools = [{ name: 'mcp.files:read', input_schema: { type: 'object' } }]
    expect(read({ tools }).native).toBeUndefined()
  })

  test('a mark of the whole request marks the end of the conversation', () => {
    const { fields, native } = read({ cache_control: { type: 'ephemeral', ttl: '1h' } })
    expect(fields.messages.at(-1).content).toEqual([
      { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ])
    expect(native?.body.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' })
  })
})

describe('tools', () => {
  const look = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } }
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }

  test('custom tools and choices are functions', () => {
    const { fields } = read({
      tools: [{ ...look, strict: true, input_examples: [{ a: 1 }], cache_control: ephemeral }],
      tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
    })
    expect(fields).toMatchObject({
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks.\n\nExamples of its input: {"a":1}',
            parameters: { type: 'object' },
            strict: true,
          },
          cache_control: ephemeral,
        },
      ],
      tool_choice: { type: 'function', function: { name: 'look' } },
      parallel_tool_calls: false,
    })
    expect(read({ tools: [look], tool_choice: { type: 'any' } }).fields.tool_choice).toBe(
      'required',
    )
  })

  test('tools that the vendor would run are left out, said, and refused only when forced', () => {
    const { fields, native, dropped } = read({
      tools: [look, search],
      tool_choice: { type: 'auto' },
    })
    expect(fields.tools).toHaveLength(1)
    expect(native?.body.tools).toEqual([look])
    expect(dropped).toEqual(['tools.web_search'])
    expect(read({ tools: [search] }).fields.tools).toBeUndefined()
    for (const tool_choice of [{ type: 'tool', name: 'web_search' }, { type: 'any' }])
      expect(refusal(() => read({ tools: [search], tool_choice }))).toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('web_search'),
      })
  })

  test('tools that the client runs are described to models that do not know them', () => {
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 1_000 },
    ]
    const { fields, native } = read({ tools })
    expect(fields.tools.map(({ function: { name } }: Json) => name)).toEqual(
      tools.map(({ name }) => name),
    )
    expect(fields.tools[0].function.parameters.properties).toHaveProperty('command')
    expect(native?.body.tools).toEqual(tools)
  })
})

describe('thinking and the form of the answer', () => {
  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, { enabled: true, max_tokens: 1_024 }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { enabled: true, exclude: true }],
    [{ thinking: { type: 'disabled' } }, { enabled: false }],
    [{ output_config: { effort: 'high' } }, { effort: 'high' }],
  ])('%j', (more, reasoning) => {
    const { fields, native } = read({ max_tokens: 4_000, ...more })
    expect(fields.reasoning).toEqual(reasoning)
    expect(native?.body).toMatchObject(more)
  })

  test.each(['output_config', 'output_format'])('%s asks for a schema', (name) => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const { fields, native } = read({ [name]: name === 'output_format' ? format : { format } })
    expect(fields.response_format.json_schema).toMatchObject({ schema: { type: 'object' } })
    expect(native?.body.output_config).toEqual({ format })
  })
})

test.each([
  [{ max_tokens: undefined }, 'max_tokens'],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ max_tokens: 1e9 }, 'max_tokens'],
  [{ model: '' }, 'model'],
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
  [{ messages: [{ role: 'user', content: [] }] }, 'messages.0.content'],
  [{ messages: [{ role: 'user', content: 'x', name: 'y' }] }, 'messages.0.name'],
  [{ messages: [{ role: 'user', content: [{ type: 'video' }] }] }, 'messages.0.content.0.type'],
  [
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', colour: 1 }] }] },
    'messages.0.content.0.colour',
  ],
  [
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'url', url: 'http://10.0.0.1/a.png' } }],
        },
      ],
    },
    'messages.0.content.0.source',
  ],
  [
    {
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] },
      ],
    },
    'messages.0.content.0.source',
  ],
  [
    { messages: [{ role: 'assistant', content: [{ type: 'server_tool_use' }] }] },
    'messages.0.content.0.type',
  ],
  [{ system: 4 }, 'system'],
  [{ temperature: 1.5 }, 'temperature'],
  [{ stop_sequences: 'x' }, 'stop_sequences'],
  [{ cache_control: { type: 'ephemeral', ttl: '2h' } }, 'cache_control.ttl'],
  [{ thinking: { type: 'enabled', budget_tokens: 100 } }, 'thinking.budget_tokens'],
  [
    { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
    'thinking.budget_tokens',
  ],
  [{ output_config: { task_budget: { total: 1 } } }, 'output_config.task_budget'],
  [{ tool_choice: { type: 'any' } }, 'tool_choice'],
  [{ tools: [{ type: 'computer_20251124', name: 'computer' }] }, 'tools.0.type'],
  [{ tools: [{ name: 'a b', input_schema: {} }] }, 'tools.0.name'],
  [{ tools: [{ name: 'a' }] }, 'tools.0.input_schema'],
  [{ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }, 'context_management'],
  [{ container: 'c' }, 'container'],
  [{ mcp_servers: [{ type: 'url' }] }, 'mcp_servers'],
  [{ speed: 'fast' }, 'speed'],
  [{ service_tier: 'batch' }, 'service_tier'],
  [{ frequency_penalty: 1 }, 'frequency_penalty'],
  [{ max_cost_cents: -1 }, 'max_cost_cents'],
])('%j is refused with the name of the field', (more, param) => {
  const error = refusal(() => read(more))
  expect(error).toMatchObject({ code: 'bad_request', data: { param } })
  expect(error.message).toMatch(/\.$/)
})

test.each([
  { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } },
  { mcp_servers: [] },
  { container: null, service_tier: 'auto', speed: 'standard', thread: null },
  { metadata: { user_id: 'u' }, max_cost_cents: 4 },
])('%j changes nothing and is accepted', (more) => {
  expect(read(more).fields.messages).toEqual(hi)
})

test('a thread is refused with the code after which clients send everything', () => {
  for (const thread of [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]) {
    const error = refusal(() => readMessagesRequest({ thread, messages: hi }))
    expect(messagesErrorBody(error)).toMatchObject({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'bad_request',
        details: { error_code: 'thread_unsupported_request' },
      },
    })
  }
})

test.each([
  ['claude-sonnet-4-6', 'anthropic/claude-sonnet-4.6'],
  ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4.5'],
  ['claude-opus-4-0', 'anthropic/claude-opus-4'],
  ['claude-sonnet-5', 'anthropic/claude-sonnet-5'],
  ['claude-3-haiku-20240307', 'anthropic/claude-3-haiku'],
  ['claude-3-7-sonnet-latest', 'anthropic/claude-3.7-sonnet'],
  ['anthropic/claude-sonnet-4.6', 'anthropic/claude-sonnet-4.6'],
  ['tollway/mid', 'tollway/mid'],
])('%s is the model %s', (name, slug) => {
  expect(readModelName(name)).toBe(slug)
})

test('a count of tokens takes the fields that make the prompt, and no others', () => {
  const { fields } = readCountRequest({ model: 'lab/one', messages: hi, system: 'Be brief.' })
  expect(fields.messages).toHaveLength(2)
  expect(
    refusal(() => readCountRequest({ model: 'lab/one', messages: hi, max_tokens: 1 })),
  ).toMatchObject({ data: { param: 'max_tokens' } })
})
