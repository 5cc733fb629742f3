// OpenAI's Responses API.
// Source: https://platform.openai.com/docs/api-reference/responses
import type { IncomingMessage } from 'node:http'
import { commonProblems, type Json, type ModelFormat, type Said } from './format.ts'

export const responsesFormat: ModelFormat = {
  base: '/responses/',
  modelOf: (_request, body) => body.model,
  isStream: (_request, body) => body.stream === true,
  problems: responsesProblems,
  answer: (model, said) => responseOf(model, said, statusOf(said)),
  events: responsesEvents,
  error: (error) => ({ error }),
}

const statusOf = ({ finish }: Said) => (finish === 'stop' ? 'completed' : 'incomplete')

function outputOf({ reasoning, signature, tokens, refusal, toolCalls }: Said): Json[] {
  const content = [
    ...(tokens.length === 0
      ? []
      : [{ type: 'output_text', text: tokens.join(''), annotations: [] }]),
    ...(refusal === '' ? [] : [{ type: 'refusal', refusal }]),
  ]
  return [
    ...(reasoning === '' && signature === ''
      ? []
      : [
          {
            id: 'rs_1',
            type: 'reasoning',
            summary: reasoning === '' ? [] : [{ type: 'summary_text', text: reasoning }],
            encrypted_content: signature || 's',
          },
        ]),
    ...(content.length === 0
      ? []
      : [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }]),
    ...toolCalls.map(({ id, name, arguments: pieces }) => ({
      id: `fc_${id}`,
      type: 'function_call',
      call_id: id,
      name,
      arguments: pieces.join(''),
      status: 'completed',
    })),
  ]
}

function responseOf(model: string, said: Said, status: string): Json {
  const isOver = status !== 'in_progress'
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: `${model}-2026-01-01`,
    error: null,
    incomplete_details:
      status === 'incomplete'
        ? { reason: said.finish === 'length' ? 'max_output_tokens' : 'content_filter' }
        : null,
    output: isOver ? outputOf(said) : [],
    store: false,
    usage: isOver && said.usage === 'end' ? usageOf(said) : null,
  }
}

const usageOf = ({ promptTokens, completionTokens }: Said) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: 7 },
  total_tokens: promptTokens + completionTokens,
})

function responsesEvents(model: string, said: Said): string[] {
  let sequence = 0
  const event = (type: string, value: Json) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...value })}\n\n`
  const begun = responseOf(model, said, 'in_progress')
  const status = statusOf(said)
  return [
    event('response.created', { response: begun }),
    event('response.in_progress', { response: begun }),
    ...outputOf(said).flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: emptied(item) }),
      ...deltasOf(item, said).map(([type, more]) =>
        event(type, { output_index, item_id: item.id, ...more }),
      ),
      event('response.output_item.done', { output_index, item }),
    ]),
    event(`response.${status}`, { response: responseOf(model, said, status) }),
  ]
}

function emptied(item: Json): Json {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'reasoning') return { ...item, summary: [], encrypted_content: null }
  return { ...item, status: 'in_progress', arguments: '' }
}

function deltasOf(item: Json, said: Said): [type: string, more: Json][] {
  if (item.type === 'reasoning')
    return item.summary.flatMap(({ text }: Json, summary_index: number) => [
      [
        'response.reasoning_summary_part.added',
        { summary_index, part: { type: 'summary_text', text: '' } },
      ],
      ['response.reasoning_summary_text.delta', { summary_index, delta: text }],
      ['response.reasoning_summary_text.done', { summary_index, text }],
      [
        'response.reasoning_summary_part.done',
        { summary_index, part: { type: 'summary_text', text } },
      ],
    ])
  if (item.type === 'message')
    return item.content.flatMap((part: Json, content_index: number) => {
      const isText = part.type === 'output_text'
      const deltas = isText ? said.tokens : [said.refusal]
      const name = isText ? 'output_text' : 'refusal'
      const empty = isText ? { ...part, text: '' } : { ...part, refusal: '' }
      return [
        ['response.content_part.added', { content_index, part: empty }],
        ...deltas.map((delta) => [`response.${name}.delta`, { content_index, delta }]),
        [`response.${name}.done`, { content_index, text: part.text, refusal: part.refusal }],
        ['response.content_part.done', { content_index, part }],
      ]
    })
  const pieces = said.toolCalls.find(({ id }) => id === item.call_id)?.arguments ?? []
  return [
    ...pieces.map((delta): [string, Json] => ['response.function_call_arguments.delta', { delta }]),
    ['response.function_call_arguments.done', { arguments: item.arguments }],
  ]
}

const fields = new Set(
  'model input instructions max_output_tokens store stream include temperature top_p parallel_tool_calls safety_identifier prompt_cache_key reasoning text tools tool_choice truncation'.split(
    ' ',
  ),
)
const toolName = /^[A-Za-z0-9_-]{1,64}$/
const fieldsOfItems: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content'],
  reasoning: ['summary', 'encrypted_content'],
  function_call: ['call_id', 'name', 'arguments'],
  function_call_output: ['call_id', 'output'],
  custom_tool_call: ['call_id', 'name', 'input'],
  custom_tool_call_output: ['call_id', 'output'],
}
const parts: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image', 'input_file'],
  system: ['input_text'],
  developer: ['input_text'],
  assistant: ['output_text', 'refusal'],
}

function responsesProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, fields)
  if (request.url !== '/responses/v1/responses') problems.push(`path ${request.url}`)
  if (request.headers.authorization !== 'Bearer upstream-key') problems.push('authorization')
  if (typeof body.model !== 'string') problems.push('model')
  if (!(body.max_output_tokens >= 1)) problems.push('max_output_tokens')
  if (body.store !== false) problems.push('store')
  if (!body.include?.includes('reasoning.encrypted_content')) problems.push('include')
  const input = Array.isArray(body.input) ? body.input : []
  if (input.length === 0) problems.push('input')
  const calls = new Set<string>()
  for (const item of input) {
    problems.push(...itemProblems(item))
    if (/call$/.test(item.type)) calls.add(item.call_id)
    if (/output$/.test(item.type) && !calls.has(item.call_id)) problems.push('a result of no call')
  }
  for (const tool of body.tools ?? [])
    if (!['function', 'custom'].includes(tool.type) || !toolName.test(tool.name))
      problems.push('a tool')
    else if (tool.type === 'function' && typeof tool.strict !== 'boolean') problems.push('strict')
  return problems
}

function itemProblems(item: Json): string[] {
  const { type = 'message', role, content } = item
  const missing = (fieldsOfItems[type] ?? ['a known type']).filter(
    (name) => item[name] === undefined,
  )
  if (type !== 'message' || !Array.isArray(content)) return missing
  const strange = content.filter((part: Json) => !(parts[role] ?? []).includes(part.type))
  return [...missing, ...strange.map((part: Json) => `${part.type} of ${role}`)]
}
