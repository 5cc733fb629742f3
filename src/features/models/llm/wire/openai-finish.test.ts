// Vendors of the common format have more reasons to end an answer than OpenAI.
import { describe, expect, test } from 'vitest'
import { openAnswerStream, readWholeAnswer } from '../surface/answer-stream.ts'
import { chatSurface } from '../surface/chat/chat.ts'
import { messagesSurface } from '../surface/messages/messages.ts'
import type { Told } from '../surface/surface.ts'
import { openAiWire } from './openai.ts'

const told: Told = {
  usage: { promptTokens: 10, completionTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  thoughtTokens: 0,
  usageFields: {},
  micros: 30,
  estimated: false,
}
const slug = 'lab/one'
const messages = [{ role: 'user', content: 'Hi' }]
const contextOf = (surface: typeof chatSurface, stream: boolean) => {
  const request = surface.readRequest({ model: slug, max_tokens: 9, messages, stream })
  return { request, callId: 'call', slug, createdAt: 1 }
}
const choice = (fields: object, finish: string | null) => [
  { index: 0, ...fields, finish_reason: finish },
]

function stream(surface: typeof chatSurface, finish: string) {
  const answer = openAnswerStream(surface, openAiWire, contextOf(surface, true))
  const chunks = [choice({ delta: { content: 'Half' } }, null), choice({ delta: {} }, finish)]
  for (const choices of chunks) answer.read(JSON.stringify({ id: 'c', choices }))
  return answer
}
function whole(surface: typeof chatSurface, finish: string) {
  const choices = choice({ message: { content: 'Half' } }, finish)
  const answer = openAiWire.readAnswer({ id: 'c', choices })
  return readWholeAnswer(surface, openAiWire, contextOf(surface, false), answer)
}

describe.each([
  ['chat', chatSurface],
  ['messages', messagesSurface],
])('%s', (_name, surface) => {
  // Sources: OpenRouter, DeepSeek, Z.ai (docs.bigmodel.cn) and https://github.com/vllm-project/vllm/issues/57082
  test.each(['error', 'insufficient_system_resource', 'network_error', 'abort'])(
    'an answer that the vendor gave up with %s fails, streamed or whole',
    (finish) => {
      expect(stream(surface, finish).state.failure?.kind).toBe('server')
      expect(whole(surface, finish)).toMatchObject({ kind: 'server' })
    },
  )
})

// Sources: Mistral and Z.ai
test.each([
  ['model_length', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['sensitive', 'refusal'],
])('%s is told as %s, not as a complete answer', (finish, reason) => {
  const answer = whole(messagesSurface, finish)
  if ('kind' in answer) throw new Error(answer.kind)
  expect(JSON.parse(answer.write(told)).stop_reason).toBe(reason)
  expect(stream(messagesSurface, finish).end(told)).toContain(`"stop_reason":"${reason}"`)
})
