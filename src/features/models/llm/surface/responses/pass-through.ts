// Answers of upstreams that speak this format: their events are passed on with the ids of this gateway. Pieces of plain
// text are not even parsed. The last event is held back until the answer is charged.
import type { CallError } from '#core/errors.ts'
import { createEventCounter } from '../../conversation/event-counter.ts'
import { type ChatFields, isObject } from '../../conversation/fields.ts'
import { toolFormsOf } from '../../conversation/tool-forms.ts'
import { fromLatin1, toLatin1 } from '../../exchange/sse.ts'
import { openResponsesStream } from '../../wire/responses/events.ts'
import { responsesWire } from '../../wire/responses/responses.ts'
import { restOf } from '../../wire/responses/whole-item.ts'
import type { WholeAnswer } from '../../wire/wire.ts'
import type { AnswerContext, AnswerStream, Told } from '../surface.ts'
import { writeErrorEvent } from './error-event.ts'
import { describeResponse, describeUsage } from './response-object.ts'
import { showItem } from './shown-items.ts'
import { createResponseWriter, failureCode, type ResponseWriterOptions } from './writer.ts'

export interface PassedResponse extends AnswerStream {
  /** The complete response as it is kept. */
  kept(): ChatFields | undefined
}

/**
 * False: names of tools have been replaced, or another model of a tier may be asked next, so that seals must name their
 * model.
 */
export function mayPass(
  { request, slug }: AnswerContext,
  names: ResponseWriterOptions['names'],
): boolean {
  const isRenamed = [...names].some(
    ([name, called]) => called.namespace !== undefined || called.name !== name,
  )
  return (
    !isRenamed && request.model === slug && toolFormsOf(request, responsesWire.tools) === undefined
  )
}

/** A piece of text without an escape, in any order of its fields. */
const plainText =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a JSON string may not hold.
  /^\{"type":"response\.output_text\.delta",(?:"(?:sequence_number|output_index|content_index)":\d+,|"item_id":"[\w-]+",|"logprobs":\[\],|"obfuscation":"[\w-]*",)*"delta":"([^"\\\x00-\x1f]+)"(?:,"(?:sequence_number|output_index|content_index)":\d+|,"item_id":"[\w-]+"|,"logprobs":\[\]|,"obfuscation":"[\w-]*")*\}$/
const sequenceNumber = /"sequence_number":(\d+)/

export function passResponse(options: ResponseWriterOptions): PassedResponse {
  const { facts, include } = options
  const reader = openResponsesStream({ partly: true })
  const { state } = reader
  const counter = createEventCounter(state)
  const items = createPassedItems(facts.id, include)
  const events = createPassedEvents(options, items)
  let complete: ChatFields | undefined
  let written: ReturnType<typeof createResponseWriter> | undefined

  return {
    state,
    read(data) {
      if (state.done) return ''
      const text = plainText.exec(data)?.[1]
      if (text !== undefined && items.isTold()) {
        state.deliveredBytes += text.length
        return events.passText(data, text)
      }
      for (const event of reader.read(data)) counter.count(event)
      if (state.failure !== undefined || data.trim() === '' || data === '[DONE]') return ''
      const event = JSON.parse(fromLatin1(data))
      if (event.type === 'response.output_item.done' && !items.isWhole(event.item)) {
        state.failure = { kind: 'unreadable', reason: 'pieces that are not the whole item' }
        return ''
      }
      return events.pass(event)
    },
    readWhole(answer: WholeAnswer) {
      const { usage, usageFields, costUsd } = answer
      Object.assign(state, { usage, usageFields, costUsd, done: true })
      const writer = createResponseWriter(options)
      written = writer
      const said = answer.events()
      said.forEach(counter.count)
      return said.map(writer.write).join('')
    },
    cut() {
      counter.endOpen()
      return events.cut()
    },
    end(told) {
      if (written !== undefined) return written.end(told)
      const end = stateOf(events.last(), told, options.now)
      complete = describeResponse(facts, { ...end, output: items.all() })
      const response = describeResponse(facts, { ...end, output: items.shown() })
      return events.emit(`response.${end.status}`, { response })
    },
    fail(error: CallError) {
      if (written !== undefined) return written.fail(error)
      const { code, message } = error
      const failed = { status: 'failed', error: { code: failureCode(code), message } } as const
      const response = describeResponse(facts, { ...failed, output: items.shown() })
      return (
        events.emit('error', writeErrorEvent(error)) + events.emit('response.failed', { response })
      )
    },
    kept: () => written?.kept() ?? complete,
  }
}

/** The events of one response, numbered as they came. */
function createPassedEvents({ facts }: ResponseWriterOptions, items: PassedItems) {
  let sequence = -1
  let last: ChatFields = {}

  const send = (event: ChatFields) => asItCame(event.type, toLatin1(JSON.stringify(event)))
  /** An event that the gateway writes itself. */
  function emit(type: string, fields: ChatFields): string {
    sequence += 1
    return send({ type, sequence_number: sequence, ...fields })
  }

  return {
    emit,
    pass(event: ChatFields): string {
      switch (event.type) {
        // The gateway tells the end itself, under the number of this event.
        case 'response.completed':
        case 'response.incomplete':
          last = event.response
          return ''
        case 'response.failed':
        case 'error':
          return ''
        default:
      }
      if (Number.isInteger(event.sequence_number)) sequence = event.sequence_number
      if (isObject(event.response)) {
        const response = describeResponse(facts, { status: 'in_progress', output: [] })
        return send({ ...event, response })
      }
      if (event.type === 'response.output_item.added')
        return send({ ...event, item: items.open(event.output_index, event.item) })
      if (event.type === 'response.output_item.done')
        return send({ ...event, item: items.close(event.output_index, event.item) })
      items.add(event)
      return send(items.rename(event))
    },
    passText(data: string, text: string): string {
      sequence = Number(sequenceNumber.exec(data)?.[1] ?? sequence + 1)
      items.addText(text)
      return asItCame('response.output_text.delta', items.renameIn(data))
    },
    cut(): string {
      last = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      const cut = items.cut()
      return cut === undefined ? '' : emit('response.output_item.done', cut)
    },
    last: () => last,
  }
}

/** A whole answer, and as it is kept. */
export function passWhole(
  native: ChatFields,
  { facts, include, now }: ResponseWriterOptions,
  told: Told,
): { readonly shown: ChatFields; readonly kept: ChatFields } {
  const items = createPassedItems(facts.id, include)
  const output: ChatFields[] = native.output.filter(isObject)
  for (const [place, item] of output.entries()) items.close(place, item)
  const state = stateOf(native, told, now)
  return {
    shown: describeResponse(facts, { ...state, output: items.shown() }),
    kept: describeResponse(facts, { ...state, output: items.all() }),
  }
}

const asItCame = (type: string, data: string) => `event: ${type}\ndata: ${data}\n\n`

function stateOf(response: ChatFields, told: Told, now: () => number) {
  const incompleteReason: string | undefined = response.incomplete_details?.reason ?? undefined
  const isComplete = response.status !== 'incomplete'
  return {
    status: isComplete ? ('completed' as const) : ('incomplete' as const),
    usage: describeUsage(told),
    ...(isComplete
      ? { completedAt: Math.floor(now() / 1_000) }
      : { incompleteReason: incompleteReason ?? 'max_output_tokens' }),
  }
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
}

interface OpenItem {
  readonly place: number
  readonly item: ChatFields
  readonly ownId: string
  readonly theirs: string
  readonly mine: string
  /** Pieces of its text or its arguments (latin1, as in JSON). */
  readonly pieces: string[]
}

/** The items of one response, under the gateway's ids. */
type PassedItems = ReturnType<typeof createPassedItems>

function createPassedItems(responseId: string, include: ReadonlySet<string>) {
  const hex = responseId.slice(responseId.indexOf('_') + 1)
  const items: ChatFields[] = []
  let open: OpenItem | undefined

  function renamed(place: number, item: unknown): ChatFields {
    const given = isObject(item) ? item : {}
    return { ...given, id: `${prefixes[given.type] ?? 'item'}_${hex}_${place}` }
  }

  return {
    open(place: number, item: unknown): ChatFields {
      const own = renamed(place, item)
      const theirs = isObject(item) && typeof item.id === 'string' ? item.id : ''
      const ids = { theirs: `"item_id":"${theirs}"`, mine: `"item_id":"${own.id}"` }
      open = { place, item: own, ownId: own.id, ...ids, pieces: [] }
      return showItem(own, include)
    },
    close(place: number, item: unknown): ChatFields {
      if (open?.place === place) open = undefined
      const own = renamed(place, item)
      items[place] = own
      return showItem(own, include)
    },
    /** Whether a piece of the open message has been read. */
    isTold: () => open?.item.type === 'message' && open.pieces.length > 0,
    add({ delta, type }: ChatFields) {
      if (typeof delta === 'string' && type !== 'response.refusal.delta')
        open?.pieces.push(toLatin1(JSON.stringify(delta)).slice(1, -1))
    },
    addText(text: string) {
      open?.pieces.push(text)
    },
    rename: (event: ChatFields): ChatFields =>
      event.item_id === undefined || open === undefined ? event : { ...event, item_id: open.ownId },
    renameIn: (data: string) => (open === undefined ? data : data.replace(open.theirs, open.mine)),
    /** Whether the pieces of the open item, if there were any, say what the whole item says. */
    isWhole(item: unknown): boolean {
      if (open === undefined || open.pieces.length === 0 || !isObject(item)) return true
      return !isCompared(item, open) || restOf(item, textOf(open)) === ''
    },
    /** Ends the open item where it is. */
    cut(): ChatFields | undefined {
      if (open === undefined) return undefined
      const { place, item } = open
      const text = textOf(open)
      const ended = { ...item, status: 'incomplete', ...contentOf(item.type, text) }
      open = undefined
      items[place] = ended
      return { output_index: place, item: showItem(ended, include) }
    },
    all: () => items.filter(Boolean),
    shown: () => items.filter(Boolean).map((item) => showItem(item, include)),
  }
}

const textOf = ({ pieces }: OpenItem): string => JSON.parse(fromLatin1(`"${pieces.join('')}"`))

/** Pieces of refusals are not collected, and those of reasoning have no separators. */
function isCompared({ type, content }: ChatFields, open: OpenItem): boolean {
  const refuses = Array.isArray(content) && content.some((part) => part?.type === 'refusal')
  return type === open.item.type && type !== 'reasoning' && !refuses
}

function contentOf(type: string, text: string): ChatFields {
  if (type === 'message') return { content: [{ type: 'output_text', annotations: [], text }] }
  if (type === 'reasoning') return { summary: [{ type: 'summary_text', text }] }
  return type === 'custom_tool_call' ? { input: text } : { arguments: text }
}
