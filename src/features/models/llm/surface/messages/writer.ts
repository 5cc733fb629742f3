// Writes an answer as a message, in the events of a stream or as a whole.
import type { CallError } from '#core/errors.ts'
import type { EndReason } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import {
  createHostedCalls,
  type HostedCall,
  type HostedTool,
  readArguments,
} from '../../conversation/hosted-calls.ts'
import { toLatin1 } from '../../exchange/sse.ts'
import type { AnswerContext, AnswerWriter, Told } from '../surface.ts'
import { createContentBlocks, type MessageEvent } from './blocks-out.ts'
import { messagesErrorBody } from './error-body.ts'
import { writeSearchCall, writeSearchResult } from './searches.ts'
import { foldMessage } from './whole-message.ts'

export const keepAlive = writeMessageEvent({ type: 'ping' })

/** An event as it is sent (latin1). */
export function writeMessageEvent(event: MessageEvent): string {
  return `event: ${event.type}\ndata: ${toLatin1(JSON.stringify(event))}\n\n`
}

export const writeFailure = (error: CallError) =>
  writeMessageEvent({ ...messagesErrorBody(error), type: 'error' })

export interface MessageWriter extends AnswerWriter {
  /**
   * Ends a round. Returns the calls that the gateway should run before the next one: none if the model was cut, or has
   * also called functions of the caller.
   */
  endRound(): readonly HostedCall[]
  /** Tells that a search begins, and then what it has found. */
  beginSearch(call: HostedCall): { readonly query: string; end(found: ChatFields): void }
  /** What was told of searches since the last time (latin1). */
  take(): string
  /** The blocks of the answer so far. */
  content(): readonly ChatFields[]
}

export interface HostedSearches {
  /** The functions that the gateway runs itself. */
  readonly hosted: readonly HostedTool[]
  /** Whether the model was told not to call them. */
  readonly isWithheld: () => boolean
}

const noSearches: HostedSearches = { hosted: [], isWithheld: () => false }

export function openMessageWriter(
  context: AnswerContext,
  { hosted, isWithheld }: HostedSearches = noSearches,
): MessageWriter {
  const { request } = context
  const blocks = createContentBlocks(context)
  const calls = createHostedCalls(hosted, isWithheld)
  let started = false
  let ending: { reason: EndReason; stopSequence: string | null } | undefined
  let searches = 0
  /** A search was called that the next request continues with. */
  let isPaused = false
  /** Kept for a whole answer, and for the next round. */
  const events: MessageEvent[] = []
  const keeps = !request.stream || hosted.length > 0
  let waiting = ''

  function start(): MessageEvent[] {
    if (started) return []
    started = true
    return [{ type: 'message_start', message: newMessage(context) }]
  }
  function last(told: Told): MessageEvent[] {
    const reason = stopReasonOf(ending?.reason ?? 'stop', blocks, ending?.stopSequence ?? null)
    const delta = {
      stop_reason: isPaused && !blocks.hasCalls() ? 'pause_turn' : reason,
      stop_sequence: ending?.stopSequence ?? null,
      stop_details: null,
    }
    const used = { web_search_requests: searches, web_fetch_requests: 0 }
    const usage = { ...writeUsage(told), ...(hosted.length > 0 ? { server_tool_use: used } : {}) }
    return [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }]
  }
  const send = (written: readonly MessageEvent[]) => written.map(writeMessageEvent).join('')
  function put(written: readonly MessageEvent[]): string {
    if (keeps) events.push(...written)
    return request.stream ? send(written) : ''
  }
  /** The block of a search, with its arguments as its only piece. */
  function addSearch(input: ChatFields) {
    const id = `srvtoolu_${context.callId}_${blocks.count()}`
    const change = { type: 'input_json_delta', partial_json: JSON.stringify(input) }
    return { id, events: blocks.addWhole(writeSearchCall(id), change) }
  }
  function refuse(call: HostedCall): MessageEvent[] {
    isPaused = true
    return addSearch(readArguments(call.arguments)).events
  }

  return {
    write(event) {
      const written = [...start(), ...(calls.add(event) ? [] : blocks.read(event))]
      if (event.type === 'end' && event.choice === 0) {
        ending = { reason: event.reason, stopSequence: event.stopSequence ?? null }
        if (ending.reason === 'tool_calls') written.push(...calls.takeRefused().flatMap(refuse))
      }
      return put(written)
    },
    end: (told) => send([...start(), ...last(told)]),
    fail: writeFailure,
    whole: (told) => JSON.stringify(foldMessage([...start(), ...events, ...last(told)])),
    endRound() {
      const called = calls.take()
      return ending?.reason === 'tool_calls' ? called : []
    },
    beginSearch(call) {
      const input = readArguments(call.arguments)
      const { id, events: begun } = addSearch(input)
      waiting += put(begun)
      return {
        query: typeof input.query === 'string' ? input.query : '',
        end(found) {
          if (Array.isArray(found)) searches += 1
          waiting += put(blocks.addWhole(writeSearchResult(id, found)))
        },
      }
    },
    take() {
      const taken = waiting
      waiting = ''
      return taken
    },
    content: () => foldMessage(events).content,
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
