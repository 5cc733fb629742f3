// Answers of upstreams that speak this format: their events are passed on as they came. Pieces of text are not even
// parsed. The end is held back until the answer is charged.

import type { AnswerEvent } from '../../conversation/answer-event.ts'
import { badArguments, createCallOrder } from '../../conversation/call-order.ts'
import { createEventCounter } from '../../conversation/event-counter.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import type { UpstreamFailure } from '../../exchange/failure.ts'
import { fromLatin1 } from '../../exchange/sse.ts'
import { anthropicWire } from '../../wire/anthropic.ts'
import type { StreamState } from '../../wire/wire.ts'
import type { AnswerContext, AnswerStream, PassThrough, Told } from '../surface.ts'
import type { MessageEvent } from './blocks-out.ts'
import {
  describeCharge,
  openMessageWriter,
  writeFailure,
  writeMessageEvent,
  writeUsage,
} from './writer.ts'

export const messagesPassThrough: PassThrough = {
  wire: anthropicWire,
  // Of a tier another model may be asked next, so its signatures need a tag that names the model.
  fits: ({ request, slug }) => request.native !== undefined && request.model === slug,
  openStream,
  writeWhole(native, context, told) {
    const usage = charged(native.usage, told)
    return JSON.stringify({ ...native, model: context.slug, usage })
  },
}

/** A piece of text as the vendor writes it, without an escape. */
const plainText =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a JSON string may not hold.
  /^\{"type":"content_block_delta","index":(\d+),"delta":\{"type":"text_delta","text":"([^"\\\x00-\x1f]+)"\}\s*\}$/
const typeOf = /^\{"type":"(\w+)"/
const indexOf = /^\{"type":"\w+","index":(\d+)/

function openStream(context: AnswerContext): AnswerStream {
  const reader = anthropicWire.openStream()
  const { state } = reader
  const noted = createNotes(state)
  /** The block that is open. */
  let open: number | undefined
  let last: MessageEvent | undefined
  function fail(failure: UpstreamFailure): string {
    state.failure ??= failure
    state.finished = false
    return ''
  }

  function pass(data: string, type: string): string {
    if (outOfOrder(data, type, open)) return fail(disorder)
    switch (type) {
      case 'message_start': {
        const event = parse(data)
        // Clients read the usage without checking that it is there.
        const usage = { input_tokens: 0, output_tokens: 0, ...event.message?.usage }
        const message = { ...event.message, model: context.slug, usage }
        return writeMessageEvent({ ...event, message })
      }
      case 'content_block_start':
        open = parse(data).index
        return asItCame(data, type)
      case 'content_block_stop':
        open = undefined
        return asItCame(data, type)
      case 'message_delta':
        last = merge(last, parse(data))
        return ''
      // The end follows when the answer is charged. An error is told by the gateway.
      case 'message_stop':
      case 'error':
        return ''
      default:
        return asItCame(data, type)
    }
  }

  return {
    state,
    answerId: noted.answerId,
    read(data) {
      if (state.done) return ''
      const [, index, text] = plainText.exec(data) ?? []
      if (text !== undefined && Number(index) === open) {
        state.begun = true
        state.deliveredBytes += text.length
        return asItCame(data, 'content_block_delta')
      }
      reader.read(data).forEach(noted.add)
      if (state.failure !== undefined) return ''
      if (noted.hasBadArguments()) return fail(badArguments)
      return pass(data, typeOf.exec(data)?.[1] ?? parse(data).type)
    },
    readWhole(answer) {
      const { usage, usageFields, costUsd, native } = answer
      Object.assign(state, { usage, usageFields, costUsd, done: true })
      const writer = openMessageWriter(context)
      const written = answer.events().map((event) => {
        noted.add(event)
        return writer.write(event)
      })
      if (noted.hasBadArguments()) return fail(badArguments)
      const { stop_reason, stop_sequence } = native
      last = { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: native.usage }
      return written.join('')
    },
    cut() {
      noted.endOpen()
      const stop = { type: 'content_block_stop', index: open }
      const delta = { stop_reason: 'max_tokens', stop_sequence: null }
      last = merge(last, { type: 'message_delta', delta, usage: {} })
      return open === undefined ? '' : writeMessageEvent(stop)
    },
    end(told) {
      const end = merge(last, { type: 'message_delta', delta: {}, usage: {} })
      return (
        writeMessageEvent({ ...end, usage: charged(end.usage, told) }) +
        writeMessageEvent({ type: 'message_stop' })
      )
    },
    fail: writeFailure,
  }
}

/** What the events of an answer say about it. */
function createNotes(state: StreamState) {
  const counter = createEventCounter(state)
  const calls = createCallOrder()
  let answerId: string | undefined
  return {
    add(event: AnswerEvent) {
      counter.count(event)
      calls.add(event)
      if (event.type === 'start') answerId = event.id
    },
    answerId: () => answerId,
    endOpen: counter.endOpen,
    hasBadArguments: calls.hasBadArguments,
  }
}

const asItCame = (data: string, type: string) => `event: ${type}\ndata: ${data}\n\n`
const parse = (data: string): MessageEvent => JSON.parse(fromLatin1(data))

const disorder: UpstreamFailure = { kind: 'unreadable', reason: 'an event out of order' }

/** Clients drop a piece of a block that is not open, and would show the rest as the whole answer. */
function outOfOrder(data: string, type: string, open: number | undefined): boolean {
  if (type === 'content_block_start') return open !== undefined
  if (type !== 'content_block_delta' && type !== 'content_block_stop') return false
  return Number(indexOf.exec(data)?.[1] ?? parse(data).index) !== open
}

/** Several events may tell about the end; the later ones add to the earlier ones. */
function merge(before: MessageEvent | undefined, event: MessageEvent): MessageEvent {
  if (before === undefined) return event
  return {
    ...before,
    ...event,
    delta: { ...before.delta, ...event.delta },
    usage: { ...before.usage, ...event.usage },
  }
}

/** The usage as the vendor tells it, with the charge. If its count was not used, it is what was charged for. */
function charged(usage: ChatFields | undefined, told: Told): ChatFields {
  const isUsed = usage?.output_tokens !== undefined && !told.estimated
  return { ...usage, ...(isUsed ? {} : writeUsage(told)), ...describeCharge(told) }
}
