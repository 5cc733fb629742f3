// Checks and copies the messages of a chat field by field, so that no unknown field reaches an upstream.
import {
  type ChatFields,
  invalid,
  isObject,
  readText,
  requireShallow,
} from '../../conversation/fields.ts'
import { readSeal } from '../../conversation/seal.ts'
import { requirePicture } from '../../conversation/web-source.ts'

const messagesMax = 4_096
const partsMax = 1_024
const toolCallsMax = 128
const nameCharactersMax = 256
const details = ['auto', 'low', 'high'] as const

export function readMessages(messages: unknown): ChatFields[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'messages must be a list of at least one message.')
  if (messages.length > messagesMax)
    throw invalid('messages', `messages must have at most ${messagesMax} entries.`)
  return messages.map((message, place) => readMessage(message, `messages.${place}`))
}

function readMessage(message: unknown, at: string): ChatFields {
  if (!isObject(message)) throw invalid(at, `${at} must be an object with role and content.`)
  const { role, content, name } = message
  const named = name == null ? {} : { name: readText(name, `${at}.name`, nameCharactersMax) }
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role, content: readContent(content, `${at}.content`, role === 'user'), ...named }
    case 'tool':
      return {
        role,
        content: readContent(content, `${at}.content`, true),
        tool_call_id: readText(message.tool_call_id, `${at}.tool_call_id`, nameCharactersMax),
      }
    case 'assistant':
      return { ...readAssistant(message, at), ...named }
    default:
      throw invalid(`${at}.role`, `${at}.role must be system, developer, user, assistant or tool.`)
  }
}

function readAssistant(message: ChatFields, at: string): ChatFields {
  const calls =
    message.tool_calls == null ? undefined : readToolCalls(message.tool_calls, `${at}.tool_calls`)
  const read: ChatFields = { role: 'assistant' }
  if (message.content != null) read.content = readContent(message.content, `${at}.content`, false)
  else if (calls === undefined && message.refusal == null)
    throw invalid(`${at}.content`, `${at} needs content or tool_calls.`)
  else read.content = null
  if (calls !== undefined) read.tool_calls = calls
  // Reasoning goes back to the model in the field in which it came.
  for (const field of ['refusal', 'reasoning', 'reasoning_content'] as const)
    if (message[field] != null) read[field] = readText(message[field], `${at}.${field}`)
  if (message.reasoning_details != null) {
    requireShallow(`${at}.reasoning_details`, message.reasoning_details)
    Object.assign(read, readDetails(message.reasoning_details))
    // The same text again.
    if (read.thoughts !== undefined) delete read.reasoning_content
  }
  return read
}

/** Details that this gateway has sealed are thoughts of a translated answer. Others are passed on. */
function readDetails(details: unknown): ChatFields {
  if (!Array.isArray(details)) return { reasoning_details: details }
  const sealOf = (detail: unknown) =>
    isObject(detail) ? readSeal(detail.signature ?? detail.data) : undefined
  const thoughts = details.flatMap((detail) => {
    const seal = sealOf(detail)
    const text = typeof detail?.text === 'string' ? detail.text : ''
    return seal === undefined ? [] : [{ text, seal }]
  })
  if (thoughts.length === 0) return { reasoning_details: details }
  const others = details.filter((detail) => sealOf(detail) === undefined)
  return { thoughts, ...(others.length === 0 ? {} : { reasoning_details: others }) }
}

function readToolCalls(calls: unknown, at: string): ChatFields[] {
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > toolCallsMax)
    throw invalid(at, `${at} must be a list of 1 to ${toolCallsMax} calls.`)
  return calls.map((call, place) => {
    const within = `${at}.${place}`
    if (!isObject(call) || !isObject(call.function))
      throw invalid(within, `${within} needs id and function.`)
    return {
      id: readText(call.id, `${within}.id`, nameCharactersMax),
      type: 'function',
      function: {
        name: readText(call.function.name, `${within}.function.name`, nameCharactersMax),
        arguments: readText(call.function.arguments, `${within}.function.arguments`),
      },
    }
  })
}

function readContent(content: unknown, at: string, pictures: boolean): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || content.length === 0 || content.length > partsMax)
    throw invalid(at, `${at} must be a string or a list of 1 to ${partsMax} parts.`)
  return content.map((part, place) => readPart(part, `${at}.${place}`, pictures))
}

function readPart(part: unknown, at: string, pictures: boolean): ChatFields {
  if (!isObject(part)) throw invalid(at, `${at} must be an object with a type.`)
  if (part.type === 'text')
    return { type: 'text', text: readText(part.text, `${at}.text`), ...readCacheMark(part) }
  if (part.type === 'refusal') return { type: 'refusal', refusal: readText(part.refusal, at) }
  if (part.type !== 'image_url' || !pictures)
    throw invalid(`${at}.type`, `${at}.type must be text${pictures ? ' or image_url' : ''}.`)
  const given = isObject(part.image_url) ? part.image_url : { url: part.image_url }
  const url = readText(given.url, `${at}.image_url.url`)
  requirePicture(url, `${at}.image_url.url`)
  if (given.detail != null && !details.includes(given.detail))
    throw invalid(`${at}.image_url.detail`, `detail is one of ${details.join(', ')}.`)
  const image = given.detail == null ? { url } : { url, detail: given.detail }
  return { type: 'image_url', image_url: image, ...readCacheMark(part) }
}

/** Longer lifetimes cost more than what is held. */
function readCacheMark({ cache_control: mark }: ChatFields): ChatFields {
  return isObject(mark) && mark.type === 'ephemeral' ? { cache_control: { type: 'ephemeral' } } : {}
}
