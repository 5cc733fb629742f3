// Searches in an answer: what the caller is told, and what the model is told in the next round and in the next request.
import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import type { AnswerEvent } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { openHostedSearch } from './hosted-search.ts'
import { readMessages } from './request.ts'

const question = { role: 'user', content: 'Who?' }
const tool: ChatFields = { type: 'web_search_20250305', name: 'web_search' }
const read = (more: object = {}) =>
  readMessages(
    { model: 'lab/one', max_tokens: 100, messages: [question], tools: [tool], ...more },
    () => ({
      description: 'Searches.',
      parameters: { type: 'object' },
    }),
  )
const refusal = (more: object) => {
  try {
    read(more)
  } catch (error) {
    return (error as { data?: { param?: string } }).data?.param
  }
  return undefined
}
const end = (reason: 'stop' | 'tool_calls'): AnswerEvent => ({ type: 'end', choice: 0, reason })
const searching: AnswerEvent[] = [
  { type: 'text', choice: 0, text: 'Let me see.' },
  { type: 'call', choice: 0, index: 0, id: 'call_1', name: 'web_search', kind: 'function' },
  { type: 'arguments', choice: 0, index: 0, text: '{"query":' },
  { type: 'arguments', choice: 0, index: 0, text: '"who"}' },
  end('tool_calls'),
]
const told = {
  usage: { promptTokens: 1, completionTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  thoughtTokens: 0,
  usageFields: {},
  micros: 0,
  estimated: false,
}

function open(more: object = {}) {
  const asked = read(more)
  if (asked.search === undefined) throw new Error('The search is not offered.')
  const { surface, rounds } = openHostedSearch(asked, asked.search)
  const context = { request: asked.request, callId: 'c', slug: 'lab/one', createdAt: 0 }
  const write = (events: readonly AnswerEvent[]) => {
    const writer = surface.openWriter(context)
    for (const event of events) writer.write(event)
    return writer
  }
  /** Runs the one search that the model has called. */
  const run = (ended: Parameters<ReturnType<typeof rounds.begin>['end']>[0]) => {
    const [call] = rounds.endRound()
    if (call === undefined) throw new Error('Nothing was called.')
    const begun = rounds.begin(asked.search?.tool as never, call)
    begun.end(ended)
    return begun.item
  }
  return { rounds, write, run }
}

test('a search and its results are blocks of one answer, which the model is told in the next round', () => {
  const { rounds, write, run } = open()
  write(searching)
  const results = [{ url: 'https://a.example/', title: 'A', text: 'Dunant.', published_at: '2020' }]
  expect(run({ item: { results } })).toEqual({ action: { query: 'who' } })
  const { messages } = rounds.continued().fields
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [
        {
          id: 'srvtoolu_c_1',
          type: 'function',
          function: { name: 'web_search', arguments: '{"query":"who"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'srvtoolu_c_1', content: JSON.stringify(results) },
  ])
  const answered = JSON.parse(
    write([{ type: 'text', choice: 0, text: 'Dunant.' }, end('stop')]).whole(told),
  )
  expect(answered.content.map(({ type }: ChatFields) => type)).toEqual([
    'text',
    'server_tool_use',
    'web_search_tool_result',
    'text',
  ])
  expect(answered.usage.server_tool_use.web_search_requests).toBe(1)
})

test.each([
  [{ item: {}, error: fail('not_found') }, [], 'The search has found nothing.'],
  [{ item: {}, error: fail('rate_limited') }, 'too_many_requests', 'too_many_requests'],
  [{ item: {}, error: fail('bad_request') }, 'invalid_tool_input', 'invalid_tool_input'],
  [{ item: {}, error: fail('upstream_error') }, 'unavailable', 'unavailable'],
  [{ item: {}, isUnpaid: true }, 'max_uses_exceeded', 'max_uses_exceeded'],
])('what a search has not found is told to the caller and the model: %#', (ended, code, text) => {
  const { rounds, write, run } = open()
  const writer = write(searching)
  run(ended)
  const [, , result] = JSON.parse(writer.whole(told)).content
  expect(Array.isArray(code) ? result.content : result.content.error_code).toEqual(code)
  expect(rounds.continued().fields.messages.at(-1).content).toContain(text)
})

test('a search that is withheld pauses the turn, and has not run for the next request', () => {
  const { rounds, write } = open()
  rounds.withhold()
  const answered = JSON.parse(write(searching).whole(told))
  expect(rounds.endRound()).toEqual([])
  expect(answered.stop_reason).toBe('pause_turn')
  expect(answered.content.at(-1).type).toBe('server_tool_use')
  const { request } = read({
    messages: [question, { role: 'assistant', content: answered.content }],
  })
  expect(request.fields.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('has not run yet'),
  })
})

test('what another gateway has encrypted is left out, and the rest is told', () => {
  const result = { type: 'web_search_result', url: 'https://a.example/', title: 'A' }
  const content = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'who' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ ...result, encrypted_content: 'EqgfCioI', page_age: null }],
    },
  ]
  const { messages } = read({ messages: [question, { role: 'assistant', content }] }).request.fields
  expect(JSON.parse(messages.at(-1).content)).toEqual([{ url: 'https://a.example/', title: 'A' }])
})

test.each([
  [{ tools: [{ ...tool, name: 'search' }] }, 'tools.0.name'],
  [{ tools: [{ ...tool, max_uses: 0 }] }, 'tools.0.max_uses'],
  [{ tools: [{ ...tool, allowed_domains: ['https://a.example'] }] }, 'tools.0.allowed_domains.0'],
  [
    { tools: [{ ...tool, allowed_domains: ['a.example'], blocked_domains: ['b.example'] }] },
    'tools.0.blocked_domains',
  ],
  [
    { tools: [{ ...tool, allowed_callers: ['code_execution_20250825'] }] },
    'tools.0.allowed_callers',
  ],
  [{ tools: [{ ...tool, colour: 'red' }] }, 'tools.0.colour'],
  [
    {
      messages: [
        question,
        {
          role: 'assistant',
          content: [{ type: 'web_search_tool_result', tool_use_id: 'x', content: [] }],
        },
      ],
    },
    'messages.1.content.0.tool_use_id',
  ],
])('the wrong search %# is refused by name', (more, param) => {
  expect(refusal(more)).toBe(param)
})

test('a function of the caller by the same name keeps it', () => {
  const own = { name: 'web_search', input_schema: { type: 'object' } }
  const { request, search } = read({ tools: [own, tool] })
  expect(request.fields.tools.map((each: ChatFields) => each.function.name)).toEqual([
    'web_search',
    'web_search_2',
  ])
  expect(search?.tool.name).toBe('web_search_2')
})

test('settings without a counterpart are left out by name', () => {
  const { request } = read({
    tools: [
      { ...tool, user_location: { type: 'approximate', country: 'AT' }, defer_loading: true },
    ],
  })
  expect(request.dropped).toEqual(['tools.user_location', 'tools.defer_loading'])
  expect(request.native).toBeUndefined()
})
