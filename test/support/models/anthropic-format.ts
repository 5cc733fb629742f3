// Anthropic's Messages API.
import type { IncomingMessage } from 'node:http'
import { commonProblems, type Json, type ModelFormat, type Said } from './format.ts'

export const anthropicFormat: ModelFormat = {
  base: '/anthropic/',
  modelOf: (_request, body) => body.model,
  isStream: (_request, body) => body.stream === true,
  problems: anthropicProblems,
  // A count of tokens has no limit.
  answer: (_model, said, body) =>
    body.messages !== undefined && body.max_tokens === undefined
      ? { input_tokens: 42 }
      : anthropicAnswer(body, said),
  events: (_model, said, body) => anthropicEvents(body, said),
  error: (error) => ({ type: 'error', error }),
}

function contentOf({ reasoning, signature, tokens, refusal, toolCalls }: Said): Json[] {
  const text = [...tokens, refusal].join('')
  return [
    ...(signature !== '' && reasoning === ''
      ? [{ type: 'redacted_thinking', data: signature }]
      : reasoning === ''
        ? []
        : [{ type: 'thinking', thinking: reasoning, signature: signature || 's' }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...toolCalls.map(({ id, name, arguments: pieces }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(pieces.join('') || '{}'),
    })),
  ]
}

const reasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' } as const
const reasonOf = ({ toolCalls, finish, refusal }: Said) =>
  toolCalls.length > 0 ? 'tool_use' : refusal === '' ? reasons[finish] : 'refusal'

function anthropicAnswer(body: Json, said: Said): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: contentOf(said),
    stop_reason: reasonOf(said),
    stop_sequence: null,
    ...(said.usage === 'none'
      ? {}
      : { usage: { input_tokens: said.promptTokens, output_tokens: said.completionTokens } }),
  }
}

function anthropicEvents(body: Json, said: Said): string[] {
  const event = (value: Json) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const counted = said.usage === 'end'
  const message = {
    ...anthropicAnswer(body, said),
    content: [],
    stop_reason: null,
    ...(counted ? { usage: { input_tokens: said.promptTokens, output_tokens: 1 } } : {}),
  }
  const blocks = contentOf(said).map((block, index) => {
    const { start, deltas } = piecesOf(block, said)
    return [
      event({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]
  })
  return [
    event({ type: 'message_start', message }),
    event({ type: 'ping' }),
    ...blocks.flat(),
    event({
      type: 'message_delta',
      delta: { stop_reason: reasonOf(said), stop_sequence: null },
      ...(counted ? { usage: { output_tokens: said.completionTokens } } : {}),
    }),
    event({ type: 'message_stop' }),
  ]
}

function piecesOf(block: Json, said: Said): { start: Json; deltas: Json[] } {
  if (block.type === 'text') {
    const texts = [...said.tokens, said.refusal].filter((text) => text !== '')
    return {
      start: { type: 'text', text: '' },
      deltas: texts.map((text) => ({ type: 'text_delta', text })),
    }
  }
  if (block.type === 'thinking')
    return {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ],
    }
  if (block.type === 'redacted_thinking') return { start: block, deltas: [] }
  const pieces = said.toolCalls.find(({ id }) => id === block.id)?.arguments ?? []
  return {
    start: { ...block, input: {} },
    deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }
}

const toolName = /^[A-Za-z0-9_-]{1,128}$/
const fieldsOfParts: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  document: ['source'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id'],
}
const anthropicFields = new Set(
  'model messages max_tokens stream system tools tool_choice temperature top_p top_k stop_sequences metadata output_config thinking cache_control'.split(
    ' ',
  ),
)

function anthropicProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, anthropicFields)
  if (typeof body.model !== 'string') problems.push('model')
  if (!Array.isArray(body.messages) || body.messages.length === 0) problems.push('messages')
  const counts = request.url === '/anthropic/v1/messages/count_tokens'
  if (request.url !== '/anthropic/v1/messages' && !counts) problems.push(`path ${request.url}`)
  if (request.headers['x-api-key'] !== 'upstream-key') problems.push('x-api-key')
  if (request.headers['anthropic-version'] !== '2023-06-01') problems.push('anthropic-version')
  if (counts ? body.max_tokens !== undefined : !(body.max_tokens >= 1)) problems.push('max_tokens')
  let last = 'assistant'
  for (const turn of body.messages ?? []) {
    if (turn.role === last) problems.push('two turns of one role')
    last = turn.role
    if (!(turn.content?.length > 0)) problems.push('an empty turn')
    if (Array.isArray(turn.content))
      for (const part of turn.content) problems.push(...partProblems(part, turn.role))
  }
  for (const tool of body.tools ?? [])
    if (!(isOfVendor(tool) || typeof tool.input_schema === 'object') || !toolName.test(tool.name))
      problems.push('a tool')
  if (body.thinking?.budget_tokens >= body.max_tokens) problems.push('budget_tokens')
  return problems
}

const isOfVendor = ({ type }: Json) => /_\d{8}$/.test(type)

function partProblems(part: Json, role: string): string[] {
  const fields = fieldsOfParts[part.type]
  if (fields === undefined) return [part.type]
  const isOfModel = ['thinking', 'redacted_thinking', 'tool_use'].includes(part.type)
  return [
    ...fields.filter((name) => part[name] === undefined).map((name) => `${part.type}.${name}`),
    ...(part.type === 'text' && part.text === '' ? ['an empty text'] : []),
    ...(part.type === 'tool_use' && (typeof part.input !== 'object' || part.input === null)
      ? ['input']
      : []),
    ...(part.type === 'tool_use' && !toolName.test(part.name) ? ['the name of a call'] : []),
    ...(part.type === 'tool_use' && !/^[\w-]+$/.test(part.id) ? ['the id of a call'] : []),
    ...(isOfModel && role !== 'assistant' ? [`${part.type} of a user`] : []),
  ]
}
