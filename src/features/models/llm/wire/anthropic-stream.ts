import type { AnswerEvent, ThoughtSeal } from '../conversation/answer-event.ts'
import { type ChatFields, isObject } from '../conversation/fields.ts'
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { fromLatin1 } from '../exchange/sse.ts'
import { endReasonOf, readAnthropicUsage, writeUsage } from './anthropic-reply.ts'
import { newStreamState, type StreamState, type WireReader } from './wire.ts'

/** Turns the events of a message into AnswerEvents. */
export function openAnthropicStream(): WireReader {
  const state = newStreamState()
  const usage = createUsageCounter(state)
  const blocks = createBlocks()
  /** Several events may tell the end. */
  let ended = false

  function readEvent(event: ChatFields): AnswerEvent[] {
    switch (event.type) {
      case 'message_start':
        usage.add(event.message?.usage)
        return [startOf(event.message)]
      case 'content_block_start':
        return blocks.open(event.index, event.content_block)
      case 'content_block_delta':
        return blocks.add(event.index, event.delta)
      case 'content_block_stop':
        return blocks.close(event.index)
      case 'message_delta':
        usage.add(event.usage)
        if (ended || event.delta?.stop_reason == null) return []
        ended = true
        return [endOf(event.delta)]
      case 'message_stop':
        state.done = true
        return []
      case 'error':
        state.failure = readFailureReply(statusOfError(event.error), event)
        return []
      default:
        return []
    }
  }

  return {
    state,
    read(data) {
      if (state.done) return []
      try {
        const event: unknown = JSON.parse(fromLatin1(data))
        return isObject(event) ? readEvent(event) : []
      } catch {
        state.failure = { kind: 'unreadable', reason: 'a damaged event' }
        return []
      }
    },
  }
}

/** The events of a message that came whole. */
export function eventsOfMessage(message: ChatFields): AnswerEvent[] {
  const blocks = createBlocks()
  const content: ChatFields[] = message.content.filter(isObject)
  return [
    startOf(message),
    ...content.flatMap((block, index) => [...blocks.open(index, block), ...blocks.close(index)]),
    endOf(message),
  ]
}

function startOf(message: ChatFields | undefined): AnswerEvent {
  const id = typeof message?.id === 'string' ? message.id : ''
  return { type: 'start', id, createdAt: Math.floor(Date.now() / 1_000) }
}

function endOf({ stop_reason: reason, stop_sequence: sequence }: ChatFields): AnswerEvent {
  return {
    type: 'end',
    choice: 0,
    reason: endReasonOf(reason),
    ...(typeof sequence === 'string' ? { stopSequence: sequence } : {}),
  }
}

type Block =
  | { readonly type: 'thought'; readonly index: number; seal: ThoughtSeal | undefined }
  /** `input`: until a piece of the input has come. */
  | { readonly type: 'call'; readonly index: number; input: unknown }

const choice = 0

/** The content blocks of one message. */
function createBlocks() {
  const blocks = new Map<number, Block>()
  const countOf = (type: Block['type']) =>
    [...blocks.values()].filter((block) => block.type === type).length

  const textOf = (text: unknown): AnswerEvent[] =>
    typeof text === 'string' && text !== '' ? [{ type: 'text', choice, text }] : []

  function think(index: number, { thinking, signature, data }: ChatFields): AnswerEvent[] {
    const block = blocks.get(index)
    if (block?.type !== 'thought') return []
    if (typeof signature === 'string' && signature !== '')
      block.seal = { maker: 'anthropic', data: (block.seal?.data ?? '') + signature }
    if (typeof data === 'string') block.seal = { maker: 'anthropic', data, hidden: true }
    return typeof thinking === 'string' && thinking !== ''
      ? [{ type: 'thought', choice, index: block.index, text: thinking }]
      : []
  }
  function addArguments(index: number, text: unknown): AnswerEvent[] {
    const block = blocks.get(index)
    if (block?.type !== 'call' || typeof text !== 'string' || text === '') return []
    block.input = undefined
    return [{ type: 'arguments', choice, index: block.index, text }]
  }
  function openCall(index: number, { id, name, input }: ChatFields): AnswerEvent[] {
    const call = { type: 'call', index: countOf('call'), input: input ?? {} } as const
    blocks.set(index, call)
    return [{ type: 'call', choice, index: call.index, id, name, kind: 'function' }]
  }

  return {
    open(index: number, block: ChatFields | undefined): AnswerEvent[] {
      switch (block?.type) {
        case 'text':
          return textOf(block.text)
        case 'tool_use':
          return openCall(index, block)
        case 'thinking':
        case 'redacted_thinking':
          blocks.set(index, { type: 'thought', index: countOf('thought'), seal: undefined })
          return think(index, block)
        default:
          return []
      }
    },
    add(index: number, delta: ChatFields | undefined): AnswerEvent[] {
      switch (delta?.type) {
        case 'text_delta':
          return textOf(delta.text)
        case 'thinking_delta':
        case 'signature_delta':
          return think(index, delta)
        case 'input_json_delta':
          return addArguments(index, delta.partial_json)
        default:
          return []
      }
    },
    close(index: number): AnswerEvent[] {
      const block = blocks.get(index)
      if (block?.type === 'thought')
        return [{ type: 'thought_end', choice, index: block.index, seal: block.seal }]
      // A call without arguments has no piece of input, and an empty text is not JSON.
      return block?.input === undefined ? [] : addArguments(index, JSON.stringify(block.input))
    },
  }
}

/** The counts at the end are totals and omit what has not changed since the start. */
function createUsageCounter(state: StreamState) {
  let counted: ChatFields = {}
  return {
    add(usage: unknown) {
      if (!isObject(usage)) return
      const told = Object.entries(usage).filter(([, value]) => value != null)
      counted = { ...counted, ...Object.fromEntries(told) }
      state.usage = readAnthropicUsage(counted)
      if (state.usage !== undefined) state.usageFields = writeUsage(state.usage)
    },
  }
}
