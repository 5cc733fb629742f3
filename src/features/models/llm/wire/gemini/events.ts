// Answers of Google's own Gemini API as AnswerEvents. Each event of a stream has the form of a whole answer.
import type { AnswerEvent, EndReason } from '../../conversation/answer-event.ts'
import { type ChatFields, isObject } from '../../conversation/fields.ts'
import { readFailureReply, type UpstreamFailure } from '../../exchange/failure.ts'
import { fromLatin1 } from '../../exchange/sse.ts'
import { readUsage } from '../../usage.ts'
import { newStreamState, type WireReader } from '../wire.ts'

export function openGeminiStream(): WireReader {
  const state = newStreamState()
  const answer = createAnswer()
  return {
    state,
    read(data) {
      if (data.trim() === '') return []
      const reply = parseReply(data)
      if (reply === undefined) {
        state.failure = { kind: 'unreadable', reason: 'a damaged event' }
        return []
      }
      const told = readGeminiUsage(reply.usageMetadata)
      if (told.usage !== undefined) Object.assign(state, told)
      state.failure = failureOfReply(reply)
      return state.failure === undefined ? answer.read(reply) : []
    },
  }
}

export const eventsOfReply = (reply: ChatFields): AnswerEvent[] => createAnswer().read(reply)

function parseReply(data: string): ChatFields | undefined {
  try {
    const reply: unknown = JSON.parse(fromLatin1(data))
    return isObject(reply) ? reply : undefined
  } catch {
    return undefined
  }
}

const endReasons: Readonly<Record<string, EndReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
}

export function failureOfReply(reply: ChatFields): UpstreamFailure | undefined {
  if (reply.error != null) {
    const { code } = isObject(reply.error) ? reply.error : {}
    return readFailureReply(Number.isInteger(code) && code >= 400 ? code : 500, reply)
  }
  const candidates = candidatesOf(reply)
  if (reply.promptFeedback?.blockReason != null && candidates.length === 0)
    return { kind: 'policy', reason: 'a blocked prompt' }
  const odd = candidates.map(({ finishReason }) => finishReason).find(isOdd)
  // A malformed call, for example: another attempt may succeed.
  return odd === undefined
    ? undefined
    : { kind: 'server', reason: `finishReason ${odd.slice(0, 40)}` }
}

const isOdd = (reason: unknown): reason is string =>
  typeof reason === 'string' && endReasons[reason] === undefined

export const candidatesOf = ({ candidates }: ChatFields): ChatFields[] =>
  Array.isArray(candidates) ? candidates.filter(isObject) : []

function createAnswer() {
  const choices = new Map<number, ReturnType<typeof createChoice>>()
  let started = false
  return {
    read(reply: ChatFields): AnswerEvent[] {
      const events: AnswerEvent[] = []
      if (!started) {
        started = true
        const id = typeof reply.responseId === 'string' ? reply.responseId : ''
        events.push({ type: 'start', id, createdAt: Math.floor(Date.now() / 1_000) })
      }
      for (const { index = 0, content, finishReason } of candidatesOf(reply)) {
        const choice = choices.get(index) ?? createChoice(index)
        choices.set(index, choice)
        const parts: unknown[] = Array.isArray(content?.parts) ? content.parts : []
        events.push(...parts.filter(isObject).flatMap(choice.read), ...choice.end(finishReason))
      }
      return events
    },
  }
}

function createChoice(choice: number) {
  let calls = 0
  let thoughts = 0
  let isThinking = false

  /** `id`: the part that the signature came with. */
  function seal(data: unknown, id: string): AnswerEvent[] {
    if (typeof data !== 'string' || data === '') return []
    const hidden = id === 'thought' ? {} : { hidden: true }
    const sealed = { maker: 'gemini', id, data, ...hidden } as const
    return [{ type: 'thought_end', choice, index: thoughts++, seal: sealed }]
  }
  function endThought(data?: unknown): AnswerEvent[] {
    if (!isThinking) return []
    isThinking = false
    const sealed = seal(data, 'thought')
    return sealed.length > 0
      ? sealed
      : [{ type: 'thought_end', choice, index: thoughts++, seal: undefined }]
  }
  function readText({ text, thought, thoughtSignature: signature }: ChatFields): AnswerEvent[] {
    if (thought === true) {
      isThinking = true
      const said: AnswerEvent[] =
        text === '' ? [] : [{ type: 'thought', choice, index: thoughts, text }]
      return typeof signature === 'string' ? [...said, ...endThought(signature)] : said
    }
    const said: AnswerEvent[] = text === '' ? [] : [{ type: 'text', choice, text }]
    return [...endThought(), ...said, ...seal(signature, 'text')]
  }
  function readCall({ functionCall: called, thoughtSignature }: ChatFields): AnswerEvent[] {
    const index = calls++
    const id = typeof called.id === 'string' ? called.id : `call_${crypto.randomUUID()}`
    return [
      ...endThought(),
      ...seal(thoughtSignature, `call:${index}`),
      { type: 'call', choice, index, id, name: called.name, kind: 'function' },
      { type: 'arguments', choice, index, text: JSON.stringify(called.args ?? {}) },
    ]
  }

  return {
    read(part: ChatFields): AnswerEvent[] {
      if (isObject(part.functionCall)) return readCall(part)
      return typeof part.text === 'string' ? readText(part) : []
    },
    end(finish: unknown): AnswerEvent[] {
      if (finish == null) return []
      const reason = endReasons[String(finish)] ?? 'stop'
      const end = {
        type: 'end',
        choice,
        reason: reason === 'stop' && calls > 0 ? 'tool_calls' : reason,
      } as const
      return [...endThought(), end]
    },
  }
}

/** The usage in the common format. Thoughts are counted apart from what is said. */
export function readGeminiUsage(usage: unknown) {
  if (!isObject(usage)) return { usage: undefined, usageFields: {} }
  const count = (value: unknown) => (typeof value === 'number' ? value : 0)
  const thoughts = count(usage.thoughtsTokenCount)
  const usageFields = {
    prompt_tokens:
      usage.promptTokenCount === undefined
        ? undefined
        : usage.promptTokenCount + count(usage.toolUsePromptTokenCount),
    completion_tokens: count(usage.candidatesTokenCount) + thoughts,
    prompt_tokens_details: { cached_tokens: count(usage.cachedContentTokenCount) },
    completion_tokens_details: { reasoning_tokens: thoughts },
  }
  return { usage: readUsage(usageFields), usageFields }
}
