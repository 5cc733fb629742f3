import { expect, test } from 'vitest'
import type { AnswerEvent } from './answer-event.ts'
import { newModelRequest } from './model-request.ts'
import { type ToolRule, toolFormsOf } from './tool-forms.ts'

const rule: ToolRule = { name: /^[A-Za-z0-9_-]{1,20}$/, nameLengthMax: 20, custom: false }
const requestOf = (fields: object) =>
  newModelRequest({
    model: 'lab/one',
    stream: true,
    includeUsage: false,
    maxTokens: 10,
    n: 1,
    maxCostMicros: undefined,
    promptCacheKey: undefined,
    fields: { messages: [{ role: 'user', content: 'x' }], ...fields },
    extended: true,
  })
const tool = (name: string) => ({ type: 'function', function: { name } })
const call = (name: string): AnswerEvent => ({
  type: 'call',
  choice: 0,
  index: 0,
  id: 'c',
  name,
  kind: 'function',
})
const args = (text: string): AnswerEvent => ({ type: 'arguments', choice: 0, index: 0, text })

test('tools that a wire takes as they are need no forms', () => {
  expect(toolFormsOf(requestOf({ tools: [tool('f')] }), rule)).toBeUndefined()
})

test('names that would become the same stay different, also in the history and the choice', () => {
  const long = 'x'.repeat(30)
  const request = requestOf({
    tools: [tool('a_b'), tool('a.b'), tool('a:b'), tool(long), tool(`${long}y`)],
    tool_choice: tool('a.b'),
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'a.b', arguments: '{}' } }],
      },
    ],
  })
  const forms = toolFormsOf(request, rule)
  const names = forms?.fields.tools.map((one: ReturnType<typeof tool>) => one.function.name)
  expect(new Set(names).size).toBe(5)
  for (const name of names) expect(name).toMatch(rule.name)
  expect(names[0]).toBe('a_b')
  expect(forms?.fields.tool_choice.function.name).toBe(names[1])
  expect(forms?.fields.messages[1].tool_calls[0].function.name).toBe(names[1])
  const restored = names.map((name: string) => forms?.openReader()(call(name)))
  expect(restored).toEqual(['a_b', 'a.b', 'a:b', long, `${long}y`].map((name) => [call(name)]))
})

test('a custom tool becomes a function with one text, and its call a custom call again', () => {
  const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }
  const request = requestOf({
    tools: [{ type: 'custom', custom: { name: 'patch', description: 'Edits.', format: grammar } }],
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: 'old' } }],
      },
    ],
  })
  const forms = toolFormsOf(request, rule)
  expect(forms?.fields.tools[0]).toMatchObject({
    type: 'function',
    function: {
      name: 'patch',
      description: 'Edits.\n\nThe input follows this lark grammar:\nstart: "x"',
      parameters: { required: ['input'] },
    },
  })
  expect(forms?.fields.messages[1].tool_calls[0].function).toEqual({
    name: 'patch',
    arguments: '{"input":"old"}',
  })
  const read = forms?.openReader()
  const end: AnswerEvent = { type: 'end', choice: 0, reason: 'tool_calls' }
  const events = [call('patch'), args('{"input":"ne'), args('w"}'), end]
  expect(events.flatMap((event) => read?.(event) ?? [])).toEqual([
    { ...call('patch'), kind: 'custom' },
    args('new'),
    end,
  ])
})

test('a model that ignores the form of a custom tool means its arguments as the text', () => {
  const request = requestOf({ tools: [{ type: 'custom', custom: { name: 'patch' } }] })
  const read = toolFormsOf(request, rule)?.openReader()
  const events = [call('patch'), args('*** patch'), call('patch')]
  expect(events.flatMap((event) => read?.(event) ?? [])[1]).toEqual(args('*** patch'))
})
