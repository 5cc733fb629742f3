// Answers in the common format as AnswerEvents.
import type { AnswerEvent, EndReason } from '../conversation/answer-event.ts'
import { type ChatFields, isObject } from '../conversation/fields.ts'
import { createChunkReader, reasoningOf } from './openai-chunks.ts'
import { newStreamState, type WireReader } from './wire.ts'

const reasons: Readonly<Record<string, EndReason>> = {
  length: 'length',
  // Mistral and Z.ai: the context of the model is full.
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Z.ai
  sensitive: 'content_filter',
}

export function openOpenAiStream(): WireReader {
  const state = newStreamState()
  // What was delivered is counted from the events; these counts are not used.
  const read = newStreamState()
  const chunks = createChunkReader(read)
  const reader = createDeltaReader()
  return {
    state,
    read(data) {
      if (data.trim() === '' || state.done) return []
      if (data === '[DONE]') {
        state.done = true
        return []
      }
      const chunk = chunks.read(data)
      const { usage, usageFields, costUsd, failure } = read
      Object.assign(state, { usage, usageFields, costUsd, failure })
      return chunk === undefined ? [] : reader.read(chunk)
    },
  }
}

/** The message of each choice is read as one delta. */
export function eventsOfCompletion({ choices, ...completion }: ChatFields): AnswerEvent[] {
  return createDeltaReader().read({
    ...completion,
    choices: choices.map((choice: ChatFields, place: number) => ({
      index: choice.index ?? place,
      delta: { ...choice.message, tool_calls: choice.message.tool_calls?.map(numbered) },
      finish_reason: choice.finish_reason ?? 'stop',
    })),
  })
}

const numbered = (call: ChatFields, index: number) => ({ ...call, index })

function createDeltaReader() {
  const choices = new Map<number, ReturnType<typeof createChoiceReader>>()
  let started = false
  return {
    read({ id, created, choices: pieces }: ChatFields): AnswerEvent[] {
      const events: AnswerEvent[] = []
      if (!started) {
        started = true
        const createdAt = typeof created === 'number' && created > 0 ? created : secondsNow()
        events.push({ type: 'start', id: typeof id === 'string' ? id : '', createdAt })
      }
      for (const { index, delta, finish_reason: finish } of pieces) {
        const place = Number(index)
        const choice = choices.get(place) ?? createChoiceReader(place)
        choices.set(place, choice)
        events.push(...choice.read(delta, finish))
      }
      return events
    },
  }
}

const secondsNow = () => Math.floor(Date.now() / 1_000)

interface OpenThought {
  readonly index: number
  field: string | undefined
  text: boolean
  readonly details: ChatFields[]
}

function createChoiceReader(choice: number) {
  const calls = createCallReader(choice)
  let thought: OpenThought | undefined
  let thoughts = 0

  function open(): OpenThought {
    thought ??= { index: thoughts++, field: undefined, text: false, details: [] }
    return thought
  }
  /** The upstream takes a thought back in the fields in which it gave it. */
  function close(): AnswerEvent[] {
    if (thought === undefined) return []
    const { index, field, details, text } = thought
    thought = undefined
    const data = JSON.stringify({ field, ...(details.length === 0 ? {} : { details }) })
    const seal = { maker: 'chat', data, ...(text ? {} : { hidden: true }) } as const
    return [{ type: 'thought_end', choice, index, seal }]
  }
  function think(delta: ChatFields): AnswerEvent[] {
    const reasoning = reasoningOf(delta)
    const details = Array.isArray(delta.reasoning_details)
      ? delta.reasoning_details.filter(isObject)
      : []
    for (const detail of details) addDetail(open().details, detail)
    if (reasoning === undefined || reasoning.text === '') return []
    const { index } = Object.assign(open(), { field: reasoning.field, text: true })
    return [{ type: 'thought', choice, index, text: reasoning.text }]
  }

  return {
    read(delta: ChatFields, finish: unknown): AnswerEvent[] {
      const thoughts = think(delta)
      const said: AnswerEvent[] = []
      for (const [type, text] of [
        ['text', delta.content],
        ['refusal', delta.refusal],
      ] as const)
        if (typeof text === 'string' && text !== '') said.push({ type, choice, text })
      if (Array.isArray(delta.tool_calls)) said.push(...calls.read(delta.tool_calls))
      if (finish != null)
        said.push(...calls.end(), {
          type: 'end',
          choice,
          reason: reasons[String(finish)] ?? 'stop',
        })
      return said.length === 0 ? thoughts : [...thoughts, ...close(), ...said]
    },
  }
}

/** Pieces of one detail have the same index and type. */
function addDetail(details: ChatFields[], piece: ChatFields) {
  const known = details.find(
    ({ index, type }) => index !== undefined && index === piece.index && type === piece.type,
  )
  if (known === undefined) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const isText = ['text', 'summary', 'data'].includes(name) && typeof value === 'string'
    if (isText) known[name] = `${known[name] ?? ''}${value}`
    else if (value != null) known[name] = value
  }
}

interface OpenCall {
  /** Text that came before the name. */
  early: string
  begun: boolean
  id: string | undefined
}

function createCallReader(choice: number) {
  const calls = new Map<number, OpenCall>()

  function readPiece({ index, id, type, function: called, custom }: ChatFields): AnswerEvent[] {
    const call = calls.get(index) ?? { early: '', begun: false, id: undefined }
    calls.set(index, call)
    if (typeof id === 'string' && id !== '') call.id ??= id
    const kind = type === 'custom' || isObject(custom) ? 'custom' : 'function'
    const { name, arguments: args, input } = called ?? custom ?? {}
    const text = [args, input].find((piece) => typeof piece === 'string') ?? ''
    const events: AnswerEvent[] = []
    if (!call.begun) {
      call.early += text
      if (typeof name !== 'string' || name === '') return []
      call.begun = true
      events.push({ type: 'call', choice, index, id: call.id ?? `call_${index}`, name, kind })
      if (call.early !== '') events.push({ type: 'arguments', choice, index, text: call.early })
    } else if (text !== '') events.push({ type: 'arguments', choice, index, text })
    return events
  }

  return {
    read: (pieces: readonly ChatFields[]) => pieces.filter(isObject).flatMap(readPiece),
    /** A call that never got a name is given to the caller, who can refuse it. */
    end(): AnswerEvent[] {
      return [...calls].flatMap(([index, call]) =>
        call.begun ? [] : readPiece({ index, function: { name: 'unnamed' } }),
      )
    },
  }
}
