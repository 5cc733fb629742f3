// Checks and copies the messages of a chat field by field, so that no unknown field reaches an upstream.
import ipaddr from 'ipaddr.js'
import { type ChatFields, invalid, isObject, requireShallow } from './fields.ts'

const messagesMax = 4_096
const partsMax = 1_024
const toolCallsMax = 128
const nameCharactersMax = 256
const pictureTypes = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
const pictureHeadCharacters = 64
const details = ['auto', 'low', 'high'] as const

export function readMessages(messages: unknown): { messages: ChatFields[]; count: number } {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'messages must be a list of at least one message.')
  if (messages.length > messagesMax)
    throw invalid('messages', `messages must have at most ${messagesMax} entries.`)
  const read = messages.map((message, place) => readMessage(message, `messages.${place}`))
  return { messages: read, count: read.length }
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
    read.reasoning_details = message.reasoning_details
  }
  return read
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

/** The provider fetches pictures. Addresses that are not public are refused. */
function requirePicture(url: string, at: string) {
  if (url.startsWith('data:')) {
    const head = url.slice(0, pictureHeadCharacters)
    if (!/^data:image\/(png|jpeg|gif|webp);base64,/.test(head) || !pictureTypes.test(url))
      throw invalid(at, 'A picture must be a base64 png, jpeg, gif or webp, or an https address.')
    return
  }
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw invalid(at, 'A picture must be an https address or a base64 data URL.')
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isPublic = ipaddr.isValid(host)
    ? ipaddr.process(host).range() === 'unicast'
    : host.includes('.') && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host)
  if (!isPublic) throw invalid(at, `${host.slice(0, 100)} is not on the public internet.`)
}

function readText(value: unknown, at: string, charactersMax = Infinity): string {
  if (typeof value !== 'string' || value.length > charactersMax)
    throw invalid(
      at,
      `${at} must be a string${charactersMax === Infinity ? '' : ` of at most ${charactersMax} characters`}.`,
    )
  return value
}

/** The number of pictures, those in low detail, and the bytes of inline pictures. */
export function countPictures(messages: readonly ChatFields[]): {
  count: number
  small: number
  dataBytes: number
} {
  let count = 0
  let small = 0
  let dataBytes = 0
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue
    for (const part of content) {
      if (part.type !== 'image_url') continue
      count += 1
      if (part.image_url.detail === 'low') small += 1
      if (part.image_url.url.startsWith('data:')) dataBytes += part.image_url.url.length
    }
  }
  return { count, small, dataBytes }
}
