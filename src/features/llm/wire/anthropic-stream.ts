import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { fromLatin1, toLatin1 } from '../exchange/sse.ts'
import { type ChatFields, isObject } from '../request/fields.ts'
import { finishReasonOf, readAnthropicUsage, writeUsage } from './anthropic-reply.ts'
import { newStreamState, type StreamTranslator } from './wire.ts'

/** Turns the events of a message into the chunks of a completion. */
export function openAnthropicStream(model: string): StreamTranslator {
  const state = newStreamState()
  /** By block: its place among the tool calls, and its input until something of that has come in pieces. */
  const tools = new Map<number, { place: number; input: unknown }>()
  let counted: ChatFields = {}

  const chunk = (delta: ChatFields, finishReason: string | null = null) => {
    const { id, created } = state
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
    return `data: ${toLatin1(JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices }))}\n\n`
  }
  const wrote = (text: unknown) => {
    if (typeof text !== 'string' || text === '') return
    state.begun = true
    state.deliveredBytes += Buffer.byteLength(text)
  }
  const count = (usage: unknown) => {
    if (!isObject(usage)) return
    // The counts at the end are totals, and leave out what has not changed.
    const told = Object.entries(usage).filter(([, value]) => value != null)
    counted = { ...counted, ...Object.fromEntries(told) }
    state.usage = readAnthropicUsage(counted)
    if (state.usage !== undefined) state.usageFields = writeUsage(state.usage)
  }

  function openBlock({ index, content_block: block }: ChatFields): string {
    if (block?.type !== 'tool_use') return ''
    const place = tools.size
    tools.set(index, { place, input: block.input ?? {} })
    wrote(block.name)
    const called = { name: block.name, arguments: '' }
    return chunk({
      tool_calls: [{ index: place, id: block.id, type: 'function', function: called }],
    })
  }

  function addArguments(index: number, text: string): string {
    wrote(text)
    const tool = tools.get(index)
    if (tool !== undefined && text !== '') tool.input = undefined
    return chunk({ tool_calls: [{ index: tool?.place ?? 0, function: { arguments: text } }] })
  }

  /** A call without arguments comes without a piece of them, which is no JSON. */
  function closeBlock({ index }: ChatFields): string {
    const input = tools.get(index)?.input
    return input === undefined ? '' : addArguments(index, JSON.stringify(input))
  }

  function readDelta({ index, delta }: ChatFields): string {
    switch (delta?.type) {
      case 'text_delta':
        wrote(delta.text)
        return chunk({ content: delta.text })
      case 'thinking_delta':
        wrote(delta.thinking)
        return chunk({ reasoning_content: delta.thinking })
      case 'input_json_delta':
        return addArguments(index, delta.partial_json)
      default:
        return ''
    }
  }

  function readEvent(event: ChatFields): string {
    switch (event.type) {
      case 'message_start':
        state.id = event.message?.id ?? state.id
        state.created = Math.floor(Date.now() / 1_000)
        count(event.message?.usage)
        return chunk({ role: 'assistant', content: '' })
      case 'content_block_start':
        return openBlock(event)
      case 'content_block_delta':
        return readDelta(event)
      case 'content_block_stop':
        return closeBlock(event)
      case 'message_delta':
        count(event.usage)
        if (event.delta?.stop_reason == null) return ''
        state.begun = true
        state.finished = true
        return chunk({}, finishReasonOf(event.delta.stop_reason))
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
    cut() {
      state.finished = true
      return chunk({}, 'length')
    },
  }
}
