// Reads a stream of the Messages API as strictly as the strictest client: one block is open at a time, blocks are
// numbered in order, and nothing comes after the end.
import type { Json } from '../model-upstream.ts'

export interface MessageRead {
  /** The message as a client puts it together; undefined if the stream ended before `message_stop`. */
  readonly message: Json | undefined
  /** The `error` event that ended it. */
  readonly error: Json | undefined
  readonly types: readonly string[]
}

interface Reading {
  message: Json
  error: Json
  openIndex: number | undefined
  stopped: boolean
  /** The input of each block as text. */
  readonly inputs: string[]
}

const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
}

/** Throws for the first event that is out of order, or that clients cannot read. */
export function readMessageEvents(text: string): MessageRead {
  const types: string[] = []
  const reading: Reading = {
    message: undefined,
    error: undefined,
    openIndex: undefined,
    stopped: false,
    inputs: [],
  }
  for (const part of text.split('\n\n').filter((each) => each !== '' && !each.startsWith(':'))) {
    const [, type = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? []
    try {
      if (data === '') throw new Error(`unreadable: ${part}`)
      const event = JSON.parse(data)
      if (event.type !== type) throw new Error(`${type} says that it is ${event.type}`)
      if (type !== 'ping') readEvent(reading, event)
    } catch (error) {
      throw new Error(`${(error as Error).message}, after ${types.join(' ')}`, { cause: error })
    }
    if (type !== 'ping') types.push(type)
  }
  if (reading.stopped) readInputs(reading)
  return { message: reading.stopped ? reading.message : undefined, error: reading.error, types }
}

function wrong(why: string): never {
  throw new Error(why)
}

function readEvent(reading: Reading, event: Json) {
  const { message } = reading
  if (reading.stopped || reading.error !== undefined) wrong(`${event.type} after the end`)
  if (event.type === 'error') {
    reading.error = event.error
    if (typeof event.error?.type !== 'string' || !event.error.message) wrong('no error')
  } else if (event.type === 'message_start') {
    if (message !== undefined) wrong('a second message_start')
    reading.message = readStart(event.message)
  } else if (message === undefined) wrong(`${event.type} before message_start`)
  else if (event.type === 'message_stop') {
    if (message.stop_reason === null) wrong('message_stop before message_delta')
    reading.stopped = true
  } else if (message.stop_reason !== null) wrong(`${event.type} after message_delta`)
  else if (event.type === 'message_delta') readEnd(reading, event)
  else readBlock(reading, event)
}

function readStart(message: Json): Json {
  if (message.content.length > 0 || message.stop_reason !== null) wrong('a filled start')
  if (!Number.isInteger(message.usage.input_tokens)) wrong('no usage at the start')
  return { ...message }
}

function readEnd({ message, openIndex }: Reading, { delta, usage }: Json) {
  if (openIndex !== undefined) wrong('an open block at the end')
  if (delta.stop_reason === null) wrong('no stop_reason')
  if (!Number.isInteger(usage.output_tokens)) wrong('no usage at the end')
  Object.assign(message, delta, { usage: { ...message.usage, ...usage } })
}

function readBlock(reading: Reading, { type, index, content_block: start, delta }: Json) {
  const { message, inputs, openIndex } = reading
  if (type === 'content_block_start') {
    if (openIndex !== undefined) wrong('a second open block')
    if (index !== message.content.length) wrong(`index ${index}`)
    reading.openIndex = index
    message.content.push(checkStart(start))
    inputs.push('')
    return
  }
  const block = message.content[index]
  if (index !== openIndex) wrong(`${type} for ${index}`)
  if (type === 'content_block_stop') {
    if (block.type === 'thinking' && block.signature === '') wrong('thinking without signature')
    reading.openIndex = undefined
  } else if (type === 'content_block_delta') {
    addDelta(block, delta)
    if (delta.type === 'input_json_delta') inputs[index] += delta.partial_json
  } else wrong(`an unknown event ${type}`)
}

function checkStart(block: Json): Json {
  switch (block.type) {
    case 'text':
      if (block.text !== '') wrong('text at the start of a block')
      break
    case 'thinking':
      if (block.thinking !== '' || block.signature !== '') wrong('a thought at the start')
      break
    case 'redacted_thinking':
      if (typeof block.data !== 'string' || block.data === '') wrong('no data')
      break
    case 'tool_use':
      if (!/^[\w.:-]+$/.test(block.id) || !block.name) wrong('no id or name')
      if (JSON.stringify(block.input) !== '{}') wrong('input at the start of a block')
      break
    default:
      wrong(`an unknown block ${block.type}`)
  }
  return { ...block }
}

function addDelta(block: Json, delta: Json) {
  if (!deltasOf[block.type]?.includes(delta.type)) wrong(`a ${delta.type} in a ${block.type}`)
  if (delta.type === 'text_delta') block.text += delta.text
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking
  if (delta.type === 'thinking_delta' && block.signature !== '') wrong('a thought after its end')
  if (delta.type === 'signature_delta') block.signature = delta.signature
}

/** The limit of tokens may cut an input. */
function readInputs({ message, inputs }: Reading) {
  for (const [index, input] of inputs.entries()) {
    const block = message.content[index]
    if (block.type === 'tool_use' && input !== '' && message.stop_reason !== 'max_tokens')
      block.input = JSON.parse(input)
  }
}
