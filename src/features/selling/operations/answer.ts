// An upstream's answer as the data that callers get, and what a price may count besides it.

import { fail } from '#core/errors.ts'
import { hasMembers } from '#core/input/members.ts'
import type { HttpReply } from '#core/ports.ts'
import { refuseManyNames } from '#platform/http/field-names.ts'
import { parseJson } from '#platform/http/reply-json.ts'
import { fileNameOf } from './file-name.ts'

export interface AnswerFacts {
  readonly status: number
  /** Of the body, decompressed. */
  readonly bytes: number
  readonly seconds: number
  /** The content, where the data only has it as bytes. */
  readonly content?: () => unknown
  /** The JSON value of the body, as it came. */
  readonly json?: { readonly value: unknown }
}

const facts = new WeakMap<object, AnswerFacts>()

/** For data that has no reply of its own. */
export function noteFacts(data: object, known: Omit<AnswerFacts, 'status'>): void {
  facts.set(data, { status: 200, ...known })
}

const knownOf = (data: unknown) => (hasMembers(data) ? facts.get(data) : undefined)

function bytesOf({ body }: HttpReply): Buffer {
  if (!Buffer.isBuffer(body)) throw new TypeError('The reply was not asked for as bytes.')
  return body
}

/** What is known of an answer besides its content. One that was stored since tells its size only. */
export const factsOf = (data: unknown): AnswerFacts =>
  knownOf(data) ?? {
    status: 200,
    bytes: Buffer.byteLength(JSON.stringify(data) ?? ''),
    seconds: 0,
  }

/** The JSON value that the data is made of. Undefined: it is of something else. */
export const jsonIn = (data: unknown): AnswerFacts['json'] => knownOf(data)?.json

/** What a pointer of a price rule leads into. */
export const contentOf = (data: unknown): unknown => {
  const content = knownOf(data)?.content
  return content === undefined ? data : content()
}

/** The media types of JSON. */
export const jsonType = /^[a-z]+\/(?:[a-z0-9.+-]+\+)?json\b|^application\/(?:x-)?json/i
const textType = /^text\/|[/+](?:xml|yaml|javascript|csv|ndjson|x-ndjson|jsonl)\b/i

/** The body of an answer: JSON, a text, or other bytes. Empty where there is none. */
type Content =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string }
  | { readonly kind: 'empty' }

/**
 * JSON is itself: an object or a list. Any other JSON value is `value`, a text `text`, and other bytes are `base64`.
 * Throws `upstream_error` for an answer that says it is JSON, or must be JSON, and is not.
 */
export function readAnswer(reply: HttpReply, seconds: number, mustBeJson: boolean): object {
  const { status, headers } = reply
  const bytes = bytesOf(reply)
  const content = mustBeJson ? readJson(reply) : readContent(bytes, headers)
  const data = dataOf(content, reply)
  const json = content.kind === 'json' ? { json: { value: content.value } } : {}
  facts.set(data, { status, bytes: bytes.length, seconds, ...json })
  return data
}

function dataOf(content: Content, { status, headers }: HttpReply): object {
  const content_type = headers['content-type']?.split(';')[0] ?? 'application/octet-stream'
  const named = { content_type, ...namedFile(headers) }
  if (content.kind === 'empty') return { status }
  if (content.kind === 'text') return { ...named, text: content.text }
  if (content.kind === 'bytes') return { ...named, base64: content.base64 }
  const { value } = content
  return typeof value === 'object' && value !== null ? value : { value }
}

function namedFile(headers: HttpReply['headers']): { readonly filename?: string } {
  const filename = fileNameOf(headers['content-disposition'])
  return filename === undefined ? {} : { filename }
}

/** Headers that describe the body or its validity. Others are between the operator and their server. */
const passedHeaders =
  /^(content-(type|language|disposition|location)|etag|last-modified|cache-control|expires|link|location|retry-after|vary|x-[a-z0-9-]+)$/i
const closedAnswerHeaders = /^x-(payment|powered-by|frame|xss|forwarded|amz|cf-|real)/i

/** Limits names and values together. Most clients refuse a paid answer with more than 16 kB of headers. */
const answerHeadersCharactersMax = 8_000
/** A longer one is left out. */
const contentTypeCharactersMax = 1_000

/** The headers that are passed on. One that names a closed host, or does not fit beside others, is left out. */
function passedOn(
  headers: HttpReply['headers'],
  closedHost: string | undefined,
): Record<string, string> {
  let left = answerHeadersCharactersMax
  const fits = ([name, value]: readonly [string, string]) => {
    if (!passedHeaders.test(name) || closedAnswerHeaders.test(name)) return false
    if (closedHost !== undefined && value.includes(closedHost)) return false
    const isShortEnough = name.length + value.length <= left
    if (isShortEnough) left -= name.length + value.length
    return isShortEnough
  }
  return Object.fromEntries(Object.entries(headers).filter(fits))
}

/** The answer of an endpoint that is sold as it is. `closedHost`: callers are not told of it. */
export function readEndpointAnswer(
  reply: HttpReply,
  seconds: number,
  { form, closedHost }: { form: 'read' | 'bytes'; closedHost: string | undefined },
): object {
  const { status, headers } = reply
  const { 'content-type': type } = headers
  const bytes = bytesOf(reply)
  const read = () => readContent(bytes, headers)
  const data = {
    status,
    content_type: type !== undefined && type.length <= contentTypeCharactersMax ? type : null,
    ...namedFile(headers),
    headers: passedOn(headers, closedHost),
    ...(form === 'bytes' ? { base64: bytes.toString('base64') } : bodyOf(read())),
  }
  const content = () => {
    const found = read()
    return found.kind === 'json' ? found.value : undefined
  }
  facts.set(data, { status, bytes: bytes.length, seconds, content })
  return data
}

function bodyOf(content: Content): object {
  if (content.kind === 'json') return { json: content.value }
  if (content.kind === 'text') return { text: content.text }
  return content.kind === 'bytes' ? { base64: content.base64 } : {}
}

function readContent(bytes: Buffer, headers: HttpReply['headers']): Content {
  const type = headers['content-type'] ?? ''
  if (bytes.length === 0) return { kind: 'empty' }
  if (jsonType.test(type) || type === '') {
    const value = parse(bytes, type)
    if (value !== undefined) return { kind: 'json', value }
  }
  if (textType.test(type)) return { kind: 'text', text: decode(bytes, type) }
  return { kind: 'bytes', base64: bytes.toString('base64') }
}

/** Many servers give JSON another type. One that answers 204, or has begun a work (202), may send nothing. */
function readJson(reply: HttpReply): Content {
  const { status, headers } = reply
  const bytes = bytesOf(reply)
  if (bytes.length === 0 && status !== 200) return { kind: 'empty' }
  const type = headers['content-type'] ?? ''
  const value = parse(bytes, jsonType.test(type) ? type : '')
  if (value !== undefined) return { kind: 'json', value }
  throw fail('upstream_error', {
    message: `The provider answered ${bytes.length === 0 ? 'nothing' : `with ${type.slice(0, 100) || 'other content'}`} where its description has JSON. Nothing was charged; try again.`,
  })
}

function parse(bytes: Buffer, type: string): unknown {
  refuseManyNames(bytes)
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (cause) {
    if (type === '') return undefined
    throw fail('upstream_error', {
      message: 'The provider’s answer could not be read. Nothing was charged; try again.',
      cause,
    })
  }
}

/** PostgreSQL cannot store U+0000. */
function decode(bytes: Buffer, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? []
  try {
    return new TextDecoder(charset).decode(bytes).replaceAll('\u0000', '\ufffd')
  } catch {
    return bytes.toString('utf8').replaceAll('\u0000', '\ufffd')
  }
}
