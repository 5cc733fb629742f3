// Answers of OpenAI's Responses API as AnswerEvents.
// Source: https://platform.openai.com/docs/api-reference/responses-streaming
import type { AnswerEvent, EndReason } from '../../conversation/answer-event.ts'
import { type ChatFields, isObject } from '../../conversation/fields.ts'
import { readFailureReply, type UpstreamFailure } from '../../exchange/failure.ts'
import { fromLatin1 } from '../../exchange/sse.ts'
import { newStreamState, type StreamState, type WireReader } from '../wire.ts'
import { readResponseUsage } from './usage.ts'
import { partsOf, restOf } from './whole-item.ts'

const choice = 0

/** `partly`: pieces of text may pass without being read here. */
export function openResponsesStream({ partly = false } = {}): WireReader {
  const state = newStreamState()
  const items = createItems(partly)

  function readEvent(event: ChatFields): AnswerEvent[] {
    switch (event.type) {
      case 'response.created':
        return [startOf(event.response)]
      case 'response.output_item.added':
        return items.open(event.output_index, event.item)
      case 'response.output_item.done':
        return items.close(event.output_index, event.item)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return readEnd(event.response, state, items)
      case 'error':
        state.failure = failureOf(isObject(event.error) ? event.error : event)
        return []
      default:
        return typeof event.type === 'string' ? items.add(event.output_index, event) : []
    }
  }

  return {
    state,
    read(data) {
      if (state.done || data.trim() === '' || data === '[DONE]') return []
      try {
        const event: unknown = JSON.parse(fromLatin1(data))
        if (isObject(event)) return readEvent(event)
      } catch {
        // Told below.
      }
      state.failure = { kind: 'unreadable', reason: 'a damaged event' }
      return []
    },
  }
}

function readEnd(response: unknown, state: StreamState, items: Items): AnswerEvent[] {
  if (!isObject(response)) throw new TypeError('The last event has no response.')
  Object.assign(state, readResponseUsage(response.usage), { done: true })
  const failure = failureOfResponse(response)
  if (failure !== undefined) {
    state.failure = failure
    return []
  }
  // Some upstreams give items only with the end.
  const late = items.late(Array.isArray(response.output) ? response.output.filter(isObject) : [])
  return [...late, { type: 'end', choice, reason: reasonOf(response, items.hasCalls()) }]
}

export function eventsOfResponse(response: ChatFields): AnswerEvent[] {
  const items = createItems(false)
  const output: ChatFields[] = response.output.filter(isObject)
  return [
    startOf(response),
    ...items.late(output),
    { type: 'end', choice, reason: reasonOf(response, items.hasCalls()) },
  ]
}

export function failureOfResponse({ status, error }: ChatFields): UpstreamFailure | undefined {
  if (status !== 'failed' && status !== 'cancelled' && error == null) return undefined
  return failureOf(isObject(error) ? error : {})
}

/** Most codes of a failed response tell what is wrong with the request. */
function failureOf(error: ChatFields): UpstreamFailure {
  const code = String(error.code ?? error.type ?? 'server_error')
  const status = /server_error|timeout|internal|unavailable/.test(code)
    ? 500
    : /overloaded/.test(code)
      ? 529
      : /rate_limit|quota/.test(code)
        ? 429
        : 400
  return readFailureReply(status, { error })
}

function startOf(response: unknown): AnswerEvent {
  const { id, created_at: created } = isObject(response) ? response : {}
  return {
    type: 'start',
    id: typeof id === 'string' ? id : '',
    createdAt: Math.floor(typeof created === 'number' ? created : Date.now() / 1_000),
  }
}

function reasonOf({ status, incomplete_details: why }: ChatFields, hasCalls: boolean): EndReason {
  if (status === 'incomplete') return why?.reason === 'content_filter' ? 'content_filter' : 'length'
  return hasCalls ? 'tool_calls' : 'stop'
}

type Items = ReturnType<typeof createItems>

interface Item {
  readonly type: string
  /** Among the calls or the thoughts of the answer. */
  readonly index: number
  /** The pieces of it that have come. */
  told: string
  closed: boolean
}

function createItems(partly: boolean) {
  const items = new Map<number, Item>()
  const counts = { call: 0, thought: 0 }

  function open(place: number, item: unknown): AnswerEvent[] {
    if (!isObject(item) || items.has(place)) return []
    const { type } = item
    const kind = kinds[type]
    const isThought = type === 'reasoning'
    const index = isThought ? counts.thought++ : kind === undefined ? 0 : counts.call++
    items.set(place, { type, index, told: '', closed: false })
    if (kind === undefined) return []
    return [{ type: 'call', choice, index, id: item.call_id ?? item.id, name: item.name, kind }]
  }

  function tell(item: Item, text: unknown, as: 'text' | 'refusal' = 'text'): AnswerEvent[] {
    if (typeof text !== 'string' || text === '') return []
    item.told += text
    const { index } = item
    if (item.type === 'message') return [{ type: as, choice, text }]
    if (item.type === 'reasoning') return [{ type: 'thought', choice, index, text }]
    return [{ type: 'arguments', choice, index, text }]
  }

  /** What the pieces of the item have not told. */
  function tellRest(item: Item, whole: ChatFields): AnswerEvent[] {
    const parts = partsOf(whole)
    if (item.type === 'reasoning') return item.told === '' ? tell(item, textOfThought(whole)) : []
    if (item.told === '')
      return parts.flatMap(({ refused, text }) => tell(item, text, refused ? 'refusal' : 'text'))
    if (partly || whole.type !== item.type) return []
    const rest = restOf(whole, item.told)
    if (rest === undefined) throw new TypeError('The pieces of an item are not the whole item.')
    return tell(item, rest, parts.at(-1)?.refused === true ? 'refusal' : 'text')
  }

  function close(place: number, whole: unknown): AnswerEvent[] {
    const begun = open(place, whole)
    const item = items.get(place)
    if (item === undefined || item.closed || !isObject(whole)) return begun
    const rest = tellRest(item, whole)
    item.closed = true
    return [...begun, ...rest, ...(item.type === 'reasoning' ? [endOfThought(item, whole)] : [])]
  }

  return {
    open,
    close,
    add(place: number, event: ChatFields): AnswerEvent[] {
      const item = items.get(place)
      if (item === undefined || item.closed) return []
      switch (event.type) {
        case 'response.output_text.delta':
        case 'response.function_call_arguments.delta':
        case 'response.custom_tool_call_input.delta':
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return tell(item, event.delta)
        case 'response.refusal.delta':
          return tell(item, event.delta, 'refusal')
        case 'response.reasoning_summary_part.added':
          return item.told === '' ? [] : tell(item, betweenSummaries)
        default:
          return []
      }
    },
    /** The items that no event has closed. */
    late: (output: readonly ChatFields[]) => output.flatMap((item, place) => close(place, item)),
    hasCalls: () => counts.call > 0,
  }
}

const betweenSummaries = '\n\n'
const kinds: Readonly<Record<string, 'function' | 'custom'>> = {
  function_call: 'function',
  custom_tool_call: 'custom',
}

const listOf = (list: unknown): ChatFields[] => (Array.isArray(list) ? list.filter(isObject) : [])

function textOfThought({ summary, content }: ChatFields): string {
  const texts = (parts: unknown) => listOf(parts).map(({ text }) => text)
  const told = texts(summary).length > 0 ? texts(summary) : texts(content)
  return told.join(betweenSummaries)
}

function endOfThought({ index, told }: Item, { id, encrypted_content: data }: ChatFields) {
  const seal =
    typeof data === 'string' && data !== ''
      ? ({ maker: 'responses', id, data, ...(told === '' ? { hidden: true } : {}) } as const)
      : undefined
  return { type: 'thought_end', choice, index, seal } as const
}
