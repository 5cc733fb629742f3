// From an operation and an input that fits its schema to the request. Nothing is sent here.
import { fail } from '#core/errors.ts'
import { ownValue } from '#core/input/own-value.ts'
import type { DescribedField, DescribedOperation } from '../described-operation.ts'
import { type PartValue, writeMultipart } from './multipart.ts'
import { isDots, mayBeRead } from './path-segment.ts'
import { encodeValue, textOf, writePath, writeQuery } from './wire-format.ts'

/** Headers that are the gateway's own, or that would change how the request is read. */
const closedHeaders =
  /^(authorization|cookie|host|connection|content-(length|type|encoding)|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|proxy-.*|(.*-)?payment(-.*)?|sign-in-with-x|idempotency-key|max-cost.*|x-http-method.*|x-method-override|x-original-url|x-rewrite-url|(if-)?range)$/i

/** Some servers read `_` in a name as `-`. */
export const isClosedHeader = (name: string): boolean =>
  closedHeaders.test(name.replaceAll('_', '-'))

/** A request without its credential. */
export interface WrittenRequest {
  readonly method: DescribedOperation['method']
  /** With its query. Begins with `/` and is joined to the server of the operation. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: without a body. */
  readonly body: Uint8Array | undefined
}

/** The bytes of a `file` field. */
export interface FileContent {
  readonly bytes: Uint8Array
  readonly filename: string
  readonly mediaType: string | undefined
}

/** The content that a value of a `file` field names. */
export type FileOf = (value: unknown) => FileContent

/** Throws a CallError for what cannot be written, such as a line break in a header. */
export function writeRequest(
  operation: DescribedOperation,
  input: Readonly<Record<string, unknown>>,
  fileOf: FileOf,
): WrittenRequest {
  const given = operation.fields
    .map((field) => ({ field, value: ownValue(input, field.name) }))
    .filter(({ value }) => value !== undefined)
  const inPlace = (place: DescribedField['in']) => given.filter(({ field }) => field.in === place)
  const path = fillTemplate(operation.path, inPlace('path'))
  const query = inPlace('query').flatMap(({ field, value }) => writeQuery(field, value))
  const headers = Object.fromEntries(
    inPlace('header')
      .filter(({ field }) => !isClosedHeader(field.wireName))
      .map(({ field, value }) => [field.wireName.toLowerCase(), headerValue(field, value)]),
  )
  const cookies = inPlace('cookie').flatMap(({ field, value }) => writeQuery(field, value))
  const content = writeBody(operation, given, fileOf)
  return {
    method: operation.method,
    path: query.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: {
      accept: acceptOf(operation),
      ...headers,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(content && { 'content-type': content.type }),
    },
    body: content?.body,
  }
}

interface GivenField {
  readonly field: DescribedField
  readonly value: unknown
}

function acceptOf({ outputTypes }: DescribedOperation): string {
  const types = outputTypes.filter((type) => /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type))
  return types.length === 0 ? 'application/json, */*;q=0.8' : [...types, '*/*;q=0.1'].join(', ')
}

function fillTemplate(template: string, given: readonly GivenField[]): string {
  const values = new Map(given.map(({ field, value }) => [field.wireName, writePath(field, value)]))
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => values.get(name) ?? '')
  // A parser of addresses, or a server that decodes a slash, would leave the segment out and reach another path.
  const [bare = ''] = path.split('?', 1)
  const hasDots = (text: string) => text.split(/[\\/]/).some(isDots)
  const isMoved = bare.split('/').some((segment) => mayBeRead(segment, hasDots))
  if (isMoved) throw fail('bad_request', { message: 'A part of the path may not be "." or "..".' })
  return path
}

/** Servers refuse a request whose headers have more than 8 to 16 kB. */
export const headerCharactersMax = 8_000

function headerValue(field: DescribedField, value: unknown): string {
  const text = encodeValue(field, value)
  if (text.length > headerCharactersMax)
    throw fail('bad_request', {
      message: `The field ${field.name} goes into a header. Send at most ${headerCharactersMax} characters.`,
    })
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.trim() === text) return text
  throw fail('bad_request', {
    message: `The field ${field.name} goes into a header. Send it without line breaks, spaces at its ends, and characters beyond Latin-1.`,
  })
}

interface RequestContent {
  readonly type: string
  readonly body: Uint8Array
}

function writeBody(
  operation: DescribedOperation,
  given: readonly GivenField[],
  fileOf: FileOf,
): RequestContent | undefined {
  const { bodyType } = operation
  if (bodyType === undefined) return undefined
  const parts = given.filter(({ field }) => ['body', 'form', 'file'].includes(field.in))
  const whole = parts.find(({ field }) => field.wireName === '')
  const hasFields = operation.fields.some(
    ({ in: place, wireName }) => place === 'body' && wireName !== '',
  )
  if (bodyType === 'json') {
    if (!whole && !hasFields) return undefined
    const value = whole
      ? whole.value
      : Object.fromEntries(parts.map(({ field, value }) => [field.wireName, value]))
    return {
      type: operation.bodyContentType ?? 'application/json',
      body: Buffer.from(JSON.stringify(value)),
    }
  }
  if (bodyType === 'raw') return whole && rawContent(operation, whole, fileOf)
  if (parts.length === 0 && operation.method === 'DELETE') return undefined
  return bodyType === 'form' ? urlencoded(parts) : multipart(parts, fileOf)
}

function rawContent(
  { bodyContentType: type = 'application/octet-stream' }: DescribedOperation,
  { field, value }: GivenField,
  fileOf: FileOf,
): RequestContent {
  if (field.in !== 'file') return { type, body: Buffer.from(textOf(value)) }
  return { type, body: fileOf(value).bytes }
}

/** An object that is the whole form is written property by property. */
const entriesOf = ({ field, value }: GivenField): GivenField[] =>
  field.wireName === '' && typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, part]) => ({
        field: { ...field, wireName: name },
        value: part,
      }))
    : [{ field, value }]

function urlencoded(parts: readonly GivenField[]): RequestContent {
  const pairs = parts.flatMap(entriesOf).flatMap(({ field, value }) => writeQuery(field, value))
  return { type: 'application/x-www-form-urlencoded', body: Buffer.from(pairs.join('&')) }
}

function multipart(parts: readonly GivenField[], fileOf: FileOf): RequestContent {
  const written = parts.flatMap(entriesOf).flatMap(({ field, value }): PartValue[] => {
    const isFile = field.in === 'file'
    const values = Array.isArray(value) && (isFile || field.explode !== false) ? value : [value]
    return values.flatMap((one): PartValue[] => {
      if (one === null || one === undefined) return []
      const { wireName: name, contentType } = field
      if (isFile) return [{ name, contentType, ...fileOf(one) }]
      const isPlain = typeof one !== 'object'
      const type = contentType ?? (isPlain ? undefined : 'application/json')
      const text = isPlain && !/json/i.test(type ?? '') ? String(one) : JSON.stringify(one)
      return [{ name, contentType: type, bytes: Buffer.from(text) }]
    })
  })
  return writeMultipart(written)
}
