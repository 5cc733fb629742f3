// Google's own Gemini API.
// Source: https://ai.google.dev/api/generate-content
import type { IncomingMessage } from 'node:http'
import { commonProblems, type Json, type ModelFormat, type Said } from './format.ts'

const address =
  /^\/gemini\/v1beta\/models\/([^/:]+):(?:(generateContent)|streamGenerateContent\?alt=sse)$/

export const geminiFormat: ModelFormat = {
  base: '/gemini/',
  modelOf: (request) => address.exec(request.url ?? '')?.[1] ?? '',
  isStream: (request) => address.exec(request.url ?? '')?.[2] === undefined,
  problems: geminiProblems,
  answer: (model, said) => replyOf(model, said, partsOf(said), said.finish),
  events(model, said) {
    const parts = piecesOf(said)
    const replies = [
      ...parts.map((part) => replyOf(model, { ...said, usage: 'none' }, [part])),
      replyOf(model, said, [], said.finish),
    ]
    return replies.map((reply) => `data: ${JSON.stringify(reply)}\r\n\r\n`)
  },
  error: (error, status) => ({
    error: { code: status, status: 'INVALID_ARGUMENT', message: 'x', ...error },
  }),
}

const reasons = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' } as const

function replyOf(model: string, said: Said, parts: Json[], finish?: Said['finish']): Json {
  return {
    candidates: [
      {
        content: { role: 'model', ...(parts.length === 0 ? {} : { parts }) },
        ...(finish === undefined ? {} : { finishReason: reasons[finish] }),
        index: 0,
      },
    ],
    ...(said.usage === 'none' ? {} : { usageMetadata: usageOf(said) }),
    modelVersion: `${model}-001`,
    responseId: 'reply_1',
  }
}

/** Thoughts are counted apart from what is said. */
const usageOf = ({ promptTokens, completionTokens, thoughtTokens }: Said) => ({
  promptTokenCount: promptTokens,
  candidatesTokenCount: completionTokens - 7,
  thoughtsTokenCount: 7 + thoughtTokens,
  totalTokenCount: promptTokens + completionTokens + thoughtTokens,
})

const partsOf = (said: Said): Json[] =>
  piecesOf({ ...said, tokens: [said.tokens.join('')].filter((text) => text !== '') })

/** A signature comes with the first call, or with the last text. */
function piecesOf({ reasoning, signature, tokens, refusal, toolCalls }: Said): Json[] {
  const signed = signature === '' ? {} : { thoughtSignature: signature }
  const texts = [...tokens, refusal].filter((text) => text !== '')
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...texts.map((text, place) => ({
      text,
      ...(toolCalls.length === 0 && place === texts.length - 1 ? signed : {}),
    })),
    ...(texts.length + toolCalls.length === 0 && signature !== '' ? [{ text: '', ...signed }] : []),
    ...toolCalls.map(({ id, name, arguments: pieces }, place) => ({
      functionCall: { id, name, args: JSON.parse(pieces.join('') || '{}') },
      ...(place === 0 ? signed : {}),
    })),
  ]
}

const fields = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'])
const configFields = new Set(
  'maxOutputTokens candidateCount temperature topP topK seed presencePenalty frequencyPenalty stopSequences responseMimeType responseJsonSchema thinkingConfig'.split(
    ' ',
  ),
)
const toolName = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/

function geminiProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, fields)
  if (!address.test(request.url ?? '')) problems.push(`path ${request.url}`)
  if (request.headers['x-goog-api-key'] !== 'upstream-key') problems.push('x-goog-api-key')
  for (const name of Object.keys(body.generationConfig ?? {}))
    if (!configFields.has(name)) problems.push(`unknown field ${name}`)
  if (!(body.generationConfig?.maxOutputTokens >= 1)) problems.push('maxOutputTokens')
  if (!Array.isArray(body.contents) || body.contents.length === 0) problems.push('contents')
  let last = 'model'
  for (const { role, parts } of body.contents ?? []) {
    if (role === last) problems.push(`two turns of ${role}`)
    last = role
    if (!Array.isArray(parts) || parts.length === 0) problems.push('an empty turn')
    for (const part of parts ?? []) problems.push(...partProblems(part, role))
  }
  for (const { functionDeclarations = [] } of body.tools ?? [])
    for (const { name } of functionDeclarations) if (!toolName.test(name)) problems.push('a tool')
  return problems
}

function partProblems(part: Json, role: string): string[] {
  const kinds = ['text', 'inlineData', 'functionCall', 'functionResponse']
  const held = kinds.filter((kind) => part[kind] !== undefined)
  if (held.length !== 1) return [`a part of ${Object.keys(part)}`]
  if (part.text === '') return ['an empty text']
  if (
    part.functionCall !== undefined &&
    (role !== 'model' || !toolName.test(part.functionCall.name))
  )
    return ['a call']
  const { response } = part.functionResponse ?? { response: {} }
  return typeof response === 'object' && (role === 'user' || part.functionResponse === undefined)
    ? []
    : ['a result']
}
