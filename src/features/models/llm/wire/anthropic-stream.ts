import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { fromLatin1 } from '../exchange/sse.ts'
import { type ChatFields, isObject } from '../request/fields.ts'
import { finishReasonOf, readAnthropicUsage, writeUsage } from './anthropic-reply.ts'
import { choiceOf, writeChunk } from './chunk.ts'
import { newStreamState, type StreamState, type StreamTranslator } from './wire.ts'

/** Turns the events of a message into the chunks of a completion. */
export function openAnthropicStream(model: string): StreamTranslator {
  const state = newStreamState()
  const usage = createUsageCounter(state)
  const blocks = createBlocks(model, state)

  function readEvent(event: ChatFields): string {
    switch (event.type) {
      case 'message_start':
        state.id = event.message?.id ?? state.id
        state.created = Math.floor(Date.now() / 1_000)
        usage.add(event.message?.usage)
        return writeChunk(model, state, [choiceOf(0, { role: 'assistant', content: '' })])
      case 'content_block_start':
        return blocks.open(event)
      case 'content_block_delta':
        return blocks.add(event)
      case 'content_block_stop':
        return blocks.close(event)
      case 'message_delta':
        usage.add(event.usage)
        if (event.delta?.stop_reason == null) return ''
        state.begun = true
        return finish(finishReasonOf(event.delta.stop_reason))
      case 'message_stop':
        state.done = true
        return ''
      case 'error':
        state.failure = readFailureReply(statusOfError(event.error), event)
        return ''
      default:
        return ''
    }
  }
  function finish(reason: string): string {
    state.finished = true
    return writeChunk(model, state, [choiceOf(0, {}, reason)])
  }

  return {
    state,
    read(data) {
      if (state.done) return ''
      try {
        const event = JSON.parse(fromLatin1(data))
        return isObject(event) ? readEvent(event) : ''
      } catch {
        state.failure = { kind: 'unreadable', reason: 'a damaged event' }
        return ''
      }
    },
    cut: () => finish('length'),
  }
}

/** The content blocks of one message. */
function createBlocks(model: string, state: StreamState) {
  /** By index of the block: the index of the tool call, and its input until a piece of the input has come. */
  const tools = new Map<number, { place: number; input: unknown }>()

  const chunk = (delta: ChatFields) => writeChunk(model, state, [choiceOf(0, delta)])
  function count(text: unknown) {
    if (typeof text !== 'string' || text === '') return
    state.begun = true
    state.deliveredBytes += Buffer.byteLength(text)
  }
  function addArguments(index: number, text: string): string {
    count(text)
    const tool = tools.get(index)
    if (tool !== undefined && text !== '') tool.input = undefined
    return chunk({ tool_calls: [{ index: tool?.place ?? 0, function: { arguments: text } }] })
  }

  return {
    open({ index, content_block: block }: ChatFields): string {
      if (block?.type !== 'tool_use') return ''
      const place = tools.size
      tools.set(index, { place, input: block.input ?? {} })
      count(block.name)
      const called = { name: block.name, arguments: '' }
      return chunk({
        tool_calls: [{ index: place, id: block.id, type: 'function', function: called }],
      })
    },
    add({ index, delta }: ChatFields): string {
      switch (delta?.type) {
        case 'text_delta':
          count(delta.text)
          return chunk({ content: delta.text })
        case 'thinking_delta':
          count(delta.thinking)
          return chunk({ reasoning_content: delta.thinking })
        case 'input_json_delta':
          return addArguments(index, delta.partial_json)
        default:
          return ''
      }
    },
    /** A call without arguments has no piece of input, and an empty text is not JSON. */
    close({ index }: ChatFields): string {
      const input = tools.get(index)?.input
      return input === undefined ? '' : addArguments(index, JSON.stringify(input))
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
