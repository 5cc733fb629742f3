// The common chat-completions format. Unknown fields are passed on; what clients cannot read is corrected.
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { fromLatin1, toLatin1 } from '../exchange/sse.ts'
import { type ChatFields, isObject } from '../request/fields.ts'
import { readUsage } from '../usage.ts'
import { choiceOf, writeChunk } from './chunk.ts'
import { createTextTemplate } from './text-template.ts'
import { createToolCallIndex, type ToolCallIndex } from './tool-call-index.ts'
import { newStreamState, type StreamState, type StreamTranslator, type Wire } from './wire.ts'

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
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
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
  readBill(json) {
    const usage = isObject(json) ? json.usage : undefined
    return { usage: readUsage(usage), costUsd: readCost(usage) }
  },
  openStream,
}

function openStream(model: string): StreamTranslator {
  const state = newStreamState()
  const template = createTextTemplate()
  const choices = createChoices(state)

  /** The event to send; undefined if there is nothing to send. */
  function readEvent(data: string): ChatFields | undefined {
    const event = parseEvent(data)
    if (event === undefined) {
      // Without this event the answer would have a gap that its reader cannot see.
      state.failure = { kind: 'unreadable', reason: 'a damaged event' }
      return undefined
    }
    if (event.error != null) {
      state.failure = readFailureReply(statusOfError(event.error), event)
      return undefined
    }
    if (event.usage != null) readStreamUsage(event.usage, state)
    delete event.usage
    const all = Array.isArray(event.choices) ? event.choices.filter(isObject) : []
    event.choices = all.filter(choices.read)
    if (event.choices.length === 0 || state.failure !== undefined) return undefined
    event.model = model
    event.object ??= 'chat.completion.chunk'
    event.id ??= state.id
    event.created ??= state.created
    state.id = event.id
    state.created = event.created
    return event
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
      const event = readEvent(data)
      if (event === undefined) return ''
      const written = toLatin1(JSON.stringify(event))
      template.learn(data, event, written)
      return `data: ${written}\n\n`
    },
    cut() {
      state.finished = true
      const ends = choices.endOpen().map((index) => choiceOf(index, {}, 'length'))
      return writeChunk(model, state, ends)
    },
  }
}

/** The choices of one stream: which have been seen, and which have ended. */
function createChoices(state: StreamState) {
  const toolCalls = new Map<number, ToolCallIndex>()
  const seen = new Set<number>()
  const ended = new Set<number>()

  function indexToolCalls(place: number, pieces: unknown) {
    if (!Array.isArray(pieces) || pieces.length === 0) return
    const index = toolCalls.get(place) ?? createToolCallIndex()
    toolCalls.set(place, index)
    index.assign(pieces)
  }

  return {
    /** Corrects a choice in place. False: it only repeats that the choice has ended. */
    read(choice: ChatFields): boolean {
      // Clients read both without checking that they are there.
      const delta: ChatFields = isObject(choice.delta) ? choice.delta : {}
      choice.delta = delta
      choice.index ??= 0
      const place = Number(choice.index)
      indexToolCalls(place, delta.tool_calls)
      const bytes = bytesOf(delta)
      state.deliveredBytes += bytes
      const finish = choice.finish_reason
      if (finish === 'error') state.failure = { kind: 'server', reason: 'finish_reason error' }
      if (finish === 'stop' && toolCalls.has(place)) choice.finish_reason = 'tool_calls'
      const repeated = finish != null && bytes === 0 && ended.has(place)
      seen.add(place)
      if (finish != null) ended.add(place)
      // Some upstreams send one choice even if several were requested, so the received choices count as all.
      state.finished = ended.size === seen.size
      if (bytes > 0 || finish != null) state.begun = true
      return !repeated
    },
    /** Ends the choices that are open, and returns their places. */
    endOpen(): number[] {
      const open = [...seen].filter((place) => !ended.has(place))
      for (const place of open) ended.add(place)
      return open
    },
  }
}

function parseEvent(data: string): ChatFields | undefined {
  try {
    const event: unknown = JSON.parse(fromLatin1(data))
    return isObject(event) ? event : undefined
  } catch {
    return undefined
  }
}

function readStreamUsage(usage: unknown, state: StreamState) {
  state.usage = readUsage(usage) ?? state.usage
  if (isObject(usage)) state.usageFields = usage
  state.costUsd = readCost(usage) ?? state.costUsd
}

function isChoice(choice: unknown): choice is ChatFields {
  return isObject(choice) && isObject(choice.message)
}

function readCost(usage: unknown): number | undefined {
  const cost = isObject(usage) ? usage.cost : undefined
  return typeof cost === 'number' && cost >= 0 && cost < 1_000_000 ? cost : undefined
}

/** Bytes that the model wrote: text, refusal, reasoning, and the names and arguments of calls. */
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
