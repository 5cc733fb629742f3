// The common chat-completions format. Fields that we do not know pass; what clients stumble over is put right.
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { fromLatin1, toLatin1 } from '../exchange/sse.ts'
import { type ChatFields, isObject } from '../request/fields.ts'
import { readUsage } from '../usage.ts'
import { createTextTemplate } from './text-template.ts'
import { newStreamState, type StreamTranslator, type Wire } from './wire.ts'

export const openAiWire: Wire = {
  path: '/chat/completions',
  credentialHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  cannot: () => undefined,
  writeRequest(chat, { upstreamModel, maxTokensField, cacheKey, extraFields }) {
    const own = JSON.stringify({
      ...extraFields,
      model: upstreamModel,
      [maxTokensField]: chat.maxTokens,
      prompt_cache_key: cacheKey,
      ...(chat.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    })
    return `${own.slice(0, -1)},${chat.json.slice(1)}`
  },
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is no object.')
    if (json.error != null) return readFailureReply(statusOfError(json.error), json)
    const { choices } = json
    if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isChoice))
      throw new TypeError('The answer has no choices.')
    if (choices.some((choice) => choice.finish_reason === 'error'))
      return { kind: 'server', reason: 'finish_reason error' }
    let deliveredBytes = 0
    for (const choice of choices) {
      deliveredBytes += bytesOf(choice.message)
      if (choice.finish_reason === 'stop' && choice.message.tool_calls?.length > 0)
        choice.finish_reason = 'tool_calls'
    }
    return {
      completion: json,
      usage: readUsage(json.usage),
      usageFields: isObject(json.usage) ? json.usage : {},
      costUsd: readCost(json.usage),
      deliveredBytes,
    }
  },
  openStream,
}

/** The calls of one choice. */
interface ToolCalls {
  readonly ids: string[]
  /** Where those stand whose index was taken. */
  readonly moved: Map<number, number>
}

function openStream(model: string): StreamTranslator {
  const state = newStreamState()
  const template = createTextTemplate()
  const toolCalls = new Map<number, ToolCalls>()
  const choicesSeen = new Set<number>()
  const choicesEnded = new Set<number>()

  function readChoice(choice: ChatFields): boolean {
    const delta: ChatFields = isObject(choice.delta) ? choice.delta : {}
    // Clients look into both without asking whether they are there.
    choice.delta = delta
    choice.index ??= 0
    const place = Number(choice.index)
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0)
      numberToolCalls(delta.tool_calls, place)
    const bytes = bytesOf(delta)
    state.deliveredBytes += bytes
    const finish = choice.finish_reason
    if (finish === 'error') state.failure = { kind: 'server', reason: 'finish_reason error' }
    if (finish === 'stop' && toolCalls.has(place)) choice.finish_reason = 'tool_calls'
    const repeated = finish != null && bytes === 0 && choicesEnded.has(place)
    choicesSeen.add(place)
    if (finish != null) choicesEnded.add(place)
    // Some upstreams give one choice whatever was asked for: those that came are all.
    state.finished = choicesEnded.size === choicesSeen.size
    if (bytes > 0 || finish != null) state.begun = true
    return !repeated
  }

  /** Clients put the pieces of a call together by its index, which some upstreams leave out or use twice. */
  function numberToolCalls(calls: ChatFields[], place: number) {
    const known: ToolCalls = toolCalls.get(place) ?? { ids: [], moved: new Map() }
    const { ids, moved } = known
    toolCalls.set(place, known)
    for (const call of calls) {
      if (Number.isInteger(call.index)) {
        const before = ids[moved.get(call.index) ?? call.index]
        const isNext = before !== undefined && call.id && call.id !== before && call.function?.name
        if (isNext) moved.set(call.index, ids.length)
        call.index = moved.get(call.index) ?? call.index
      } else {
        const seen = ids.indexOf(call.id)
        call.index = seen >= 0 ? seen : call.id == null ? Math.max(0, ids.length - 1) : ids.length
      }
      if (typeof call.id === 'string') ids[call.index] = call.id
    }
  }

  return {
    state,
    read(data) {
      if (state.done) return ''
      if (data === '[DONE]') {
        state.done = true
        return ''
      }
      if (data.trim() === '') return ''
      const quick = template.apply(data)
      if (quick !== undefined) {
        state.deliveredBytes += quick.bytes
        if (quick.bytes > 0) state.begun = true
        return quick.event
      }
      let event: unknown
      try {
        event = JSON.parse(fromLatin1(data))
      } catch {
        event = undefined
      }
      // What it said is lost: an answer with a hole in it would pass for a whole one.
      if (!isObject(event)) {
        state.failure = { kind: 'unreadable', reason: 'a damaged event' }
        return ''
      }
      if (event.error != null) {
        state.failure = readFailureReply(statusOfError(event.error), event)
        return ''
      }
      if (event.usage != null) {
        state.usage = readUsage(event.usage) ?? state.usage
        if (isObject(event.usage)) state.usageFields = event.usage
        state.costUsd = readCost(event.usage) ?? state.costUsd
      }
      delete event.usage
      const choices = Array.isArray(event.choices) ? event.choices.filter(isObject) : []
      event.choices = choices.filter((choice) => readChoice(choice))
      if (event.choices.length === 0 || state.failure !== undefined) return ''
      event.model = model
      event.object ??= 'chat.completion.chunk'
      event.id ??= state.id
      event.created ??= state.created
      state.id = event.id
      state.created = event.created
      const written = toLatin1(JSON.stringify(event))
      template.learn(data, event, written)
      return `data: ${written}\n\n`
    },
    cut() {
      const ends = [...choicesSeen].filter((place) => !choicesEnded.has(place))
      for (const place of ends) choicesEnded.add(place)
      state.finished = true
      const { id, created } = state
      const choices = ends.map((index) => ({
        index,
        delta: {},
        logprobs: null,
        finish_reason: 'length',
      }))
      return `data: ${toLatin1(JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices }))}\n\n`
    },
  }
}

function isChoice(choice: unknown): choice is ChatFields {
  return isObject(choice) && isObject(choice.message)
}

function readCost(usage: unknown): number | undefined {
  const cost = isObject(usage) ? usage.cost : undefined
  return typeof cost === 'number' && cost >= 0 && cost < 1_000_000 ? cost : undefined
}

/** Bytes of what a model wrote: text, refusal, reasoning, the arguments of calls. */
function bytesOf(message: ChatFields): number {
  let bytes = 0
  for (const text of [
    message.content,
    message.refusal,
    message.reasoning ?? message.reasoning_content,
  ])
    if (typeof text === 'string') bytes += Buffer.byteLength(text)
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) {
      const { name, arguments: args } = call?.function ?? {}
      if (typeof name === 'string') bytes += Buffer.byteLength(name)
      if (typeof args === 'string') bytes += Buffer.byteLength(args)
    }
  return bytes
}
