// The chunks of a stream in the common format. Unknown fields are kept; what clients cannot read is corrected.
import { type ChatFields, isObject } from '../conversation/fields.ts'
import { readFailureReply, statusOfError, type UpstreamFailure } from '../exchange/failure.ts'
import { fromLatin1 } from '../exchange/sse.ts'
import { readUsage } from '../usage.ts'
import { createToolCallIndex, type ToolCallIndex } from './openai-call-index.ts'
import type { StreamState } from './wire.ts'

export interface ChunkReader {
  /** The corrected chunk; undefined if it holds nothing for the caller. */
  read(data: string): ChatFields | undefined
  /** Ends the choices that are open, and returns their places. */
  endOpen(): number[]
}

/** Writes the state, which counts what the chunks deliver. */
export function createChunkReader(state: StreamState): ChunkReader {
  const choices = createChoices(state)
  return {
    read(data) {
      const chunk = parseChunk(data)
      if (chunk === undefined) {
        // Without this event the answer would have a gap that its reader cannot see.
        state.failure = { kind: 'unreadable', reason: 'a damaged event' }
        return undefined
      }
      if (chunk.error != null) {
        state.failure = readFailureReply(statusOfError(chunk.error), chunk)
        return undefined
      }
      if (chunk.usage != null) readStreamUsage(chunk.usage, state)
      delete chunk.usage
      const all = Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : []
      chunk.choices = all.filter(choices.read)
      return chunk.choices.length === 0 || state.failure !== undefined ? undefined : chunk
    },
    endOpen: choices.endOpen,
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
      if (brokeOff(finish)) state.failure = failureOfFinish(finish)
      if (finish === 'stop' && toolCalls.has(place)) choice.finish_reason = 'tool_calls'
      const repeated = finish != null && bytes === 0 && ended.has(place)
      seen.add(place)
      if (finish != null) ended.add(place)
      // Some upstreams send one choice even if several were requested, so the received choices count as all.
      state.finished = ended.size === seen.size
      if (bytes > 0 || finish != null) state.begun = true
      return !repeated
    },
    endOpen(): number[] {
      const open = [...seen].filter((place) => !ended.has(place))
      for (const place of open) ended.add(place)
      return open
    },
  }
}

function parseChunk(data: string): ChatFields | undefined {
  try {
    const chunk: unknown = JSON.parse(fromLatin1(data))
    return isObject(chunk) ? chunk : undefined
  } catch {
    return undefined
  }
}

function readStreamUsage(usage: unknown, state: StreamState) {
  state.usage = readUsage(usage) ?? state.usage
  if (isObject(usage)) state.usageFields = usage
  state.costUsd = readCost(usage) ?? state.costUsd
}

/** Reasons that say that the vendor gave up in the middle: routers, DeepSeek, Z.ai and vLLM. */
const brokenReasons: ReadonlySet<unknown> = new Set([
  'error',
  'insufficient_system_resource',
  'network_error',
  'abort',
])

export const brokeOff = (finish: unknown): finish is string => brokenReasons.has(finish)

export const failureOfFinish = (finish: string): UpstreamFailure => ({
  kind: 'server',
  reason: `finish_reason ${finish}`,
})

export function readCost(usage: unknown): number | undefined {
  const cost = isObject(usage) ? usage.cost : undefined
  return typeof cost === 'number' && cost >= 0 && cost < 1_000_000 ? cost : undefined
}

/** The reasoning of a message or a delta, in the field that the upstream uses. */
export function reasoningOf(message: ChatFields): { field: string; text: string } | undefined {
  for (const field of ['reasoning', 'reasoning_content'])
    if (typeof message[field] === 'string') return { field, text: message[field] }
  return undefined
}

/** Bytes that the model wrote: text, refusal, reasoning, and the names and arguments of calls. */
export function bytesOf(message: ChatFields): number {
  let bytes = 0
  for (const text of [message.content, message.refusal, reasoningOf(message)?.text])
    if (typeof text === 'string') bytes += Buffer.byteLength(text)
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) {
      const { name, arguments: args, input } = call?.function ?? call?.custom ?? {}
      for (const text of [name, args, input])
        if (typeof text === 'string') bytes += Buffer.byteLength(text)
    }
  return bytes
}
