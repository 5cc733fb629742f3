// The common chat-completions format.
import type { IncomingMessage } from 'node:http'
import { commonProblems, type Json, type ModelFormat, type Said } from './format.ts'

export const openAiFormat: ModelFormat = {
  base: '/openai/',
  modelOf: (_request, body) => body.model,
  isStream: (_request, body) => body.stream === true,
  problems: openAiProblems,
  answer: (_model, said, body) => openAiAnswer(body, said),
  events: (_model, said, body) => openAiEvents(body, said),
  error: (error) => ({ error }),
}

const usageOf = ({ promptTokens, completionTokens, thoughtTokens }: Said) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens + thoughtTokens,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 7 + thoughtTokens },
})

function openAiAnswer(body: Json, said: Said): Json {
  const calls = said.toolCalls.map(({ id, name, arguments: pieces }) => ({
    id,
    type: 'function',
    function: { name, arguments: pieces.join('') },
  }))
  const message = {
    role: 'assistant',
    content: said.tokens.length === 0 ? null : said.tokens.join(''),
    refusal: said.refusal === '' ? null : said.refusal,
    ...(said.reasoning === '' ? {} : { reasoning_content: said.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: `${body.model}-2026-01-01`,
    choices: Array.from({ length: body.n ?? 1 }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason: calls.length > 0 ? 'tool_calls' : said.finish,
    })),
    ...(said.usage === 'none' ? {} : { usage: usageOf(said) }),
    system_fingerprint: 'fp_1',
  }
}

function openAiEvents(body: Json, said: Said): string[] {
  const chunk = (choices: Json[], more = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: `${body.model}-2026-01-01`, system_fingerprint: 'fp_1', choices, usage: null, ...more })}\n\n`
  const choice = (delta: Json, finish: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ]
  const calls = said.toolCalls.flatMap(({ id, name, arguments: pieces }, index) => [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
  ])
  return [
    chunk(choice({ role: 'assistant', content: '', refusal: null })),
    ...(said.reasoning === '' ? [] : [chunk(choice({ reasoning_content: said.reasoning }))]),
    ...said.tokens.map((content) => chunk(choice({ content }))),
    ...(said.refusal === '' ? [] : [chunk(choice({ refusal: said.refusal }))]),
    ...calls.map((call) => chunk(choice({ tool_calls: [call] }))),
    chunk(choice({}, calls.length > 0 ? 'tool_calls' : said.finish)),
    ...(said.usage === 'none' ? [] : [chunk([], { usage: usageOf(said) })]),
    'data: [DONE]\n\n',
  ]
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/
const openAiFields = new Set(
  'model messages max_tokens max_completion_tokens stream stream_options tools tool_choice parallel_tool_calls response_format temperature top_p stop seed logprobs top_logprobs n user presence_penalty frequency_penalty logit_bias reasoning_effort verbosity reasoning prompt_cache_key'.split(
    ' ',
  ),
)
function openAiProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, openAiFields)
  if (typeof body.model !== 'string') problems.push('model')
  if (!Array.isArray(body.messages) || body.messages.length === 0) problems.push('messages')
  for (const { role, tool_calls: calls, thoughts, is_error: isError } of body.messages ?? []) {
    if (thoughts !== undefined || isError !== undefined) problems.push('fields of our own')
    for (const { type, function: called } of calls ?? [])
      if (role !== 'assistant' || type !== 'function' || !toolName.test(called.name))
        problems.push('a call')
  }
  for (const tool of body.tools ?? [])
    if (tool.type !== 'function' || !toolName.test(tool.function.name)) problems.push('a tool')
  if (request.url !== '/openai/v1/chat/completions') problems.push(`path ${request.url}`)
  if (request.headers.authorization !== 'Bearer upstream-key') problems.push('authorization')
  if (!(Number(body.max_tokens ?? body.max_completion_tokens) >= 1)) problems.push('no token limit')
  if (body.stream === true && body.stream_options?.include_usage !== true)
    problems.push('no usage wanted')
  return problems
}
