// Writes an answer as a message, in the events of a stream or as a whole.
import type { CallError } from '#core/errors.ts'
import type { EndReason } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { toLatin1 } from '../../exchange/sse.ts'
import type { AnswerContext, AnswerWriter, Told } from '../surface.ts'
import { createContentBlocks, type MessageEvent } from './blocks-out.ts'
import { messagesErrorBody } from './error-body.ts'
import { foldMessage } from './whole-message.ts'

export const keepAlive = writeMessageEvent({ type: 'ping' })

/** An event as it is sent (latin1). */
export function writeMessageEvent(event: MessageEvent): string {
  return `event: ${event.type}\ndata: ${toLatin1(JSON.stringify(event))}\n\n`
}

export const writeFailure = (error: CallError) =>
  writeMessageEvent({ ...messagesErrorBody(error), type: 'error' })

export function openMessageWriter(context: AnswerContext): AnswerWriter {
  const { request } = context
  const blocks = createContentBlocks(context)
  let started = false
  let ending: { reason: EndReason; stopSequence: string | null } | undefined
  /** Kept for a whole answer. */
  const events: MessageEvent[] = []

  function start(): MessageEvent[] {
    if (started) return []
    started = true
    return [{ type: 'message_start', message: newMessage(context) }]
  }
  function last(told: Told): MessageEvent[] {
    const delta = {
      stop_reason: stopReasonOf(ending?.reason ?? 'stop', blocks, ending?.stopSequence ?? null),
      stop_sequence: ending?.stopSequence ?? null,
      stop_details: null,
    }
    return [{ type: 'message_delta', delta, usage: writeUsage(told) }, { type: 'message_stop' }]
  }
  const send = (written: readonly MessageEvent[]) => written.map(writeMessageEvent).join('')

  return {
    write(event) {
      const written = [...start(), ...blocks.read(event)]
      if (event.type === 'end' && event.choice === 0)
        ending = { reason: event.reason, stopSequence: event.stopSequence ?? null }
      if (request.stream) return send(written)
      events.push(...written)
      return ''
    },
    end: (told) => send([...start(), ...last(told)]),
    fail: writeFailure,
    whole: (told) => JSON.stringify(foldMessage([...start(), ...events, ...last(told)])),
  }
}

function newMessage({ callId, slug }: AnswerContext): ChatFields {
  return {
    id: `msg_${callId}`,
    type: 'message',
    role: 'assistant',
    model: slug,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    // The upstream counts at the end.
    usage: { input_tokens: 0, output_tokens: 0 },
  }
}

/** The vendor counts what was read from the cache and written to it apart from the rest of the prompt. */
export function writeUsage({ usage, thoughtTokens, micros, estimated }: Told): ChatFields {
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = usage
  return {
    input_tokens: promptTokens - cacheReadTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: thoughtTokens },
    ...describeCharge({ micros, estimated }),
  }
}

export function describeCharge({ micros, estimated }: Pick<Told, 'micros' | 'estimated'>) {
  return { cost: micros / 1_000_000, ...(estimated ? { estimated: true } : {}) }
}

function stopReasonOf(
  reason: EndReason,
  { hasCalls, hasRefused }: { hasCalls: () => boolean; hasRefused: () => boolean },
  stopSequence: string | null,
): string {
  if (reason === 'length') return 'max_tokens'
  if (reason === 'content_filter' || hasRefused()) return 'refusal'
  if (reason === 'tool_calls' || hasCalls()) return 'tool_use'
  return stopSequence === null ? 'end_turn' : 'stop_sequence'
}
