// How values are written into paths, queries, headers and cookies, by the styles of OpenAPI (RFC 6570).
import { fail } from '#core/errors.ts'
import type { DescribedField } from '../described-operation.ts'

type Field = Pick<
  DescribedField,
  'name' | 'in' | 'wireName' | 'style' | 'explode' | 'allowReserved'
>

/** A value that is not a list or an object, as text. What is inside of one is JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Half a character is not text that any encoding has. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const reserved = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

function encoder({ allowReserved }: Field): (text: string) => string {
  // What separates parts of a query stays encoded.
  return allowReserved
    ? (text) => percentEncode(text).replace(reserved, decodeURIComponent)
    : percentEncode
}

/** A part of a path, percent-encoded. */
export function writePath(field: Field, value: unknown): string {
  const { style = 'simple', explode = false, wireName } = field
  if (style === 'json') return percentEncode(JSON.stringify(value))
  if (!Array.isArray(value) && !isRecord(value)) {
    const text = percentEncode(textOf(value))
    if (style === 'label') return `.${text}`
    return style === 'matrix' ? `;${percentEncode(wireName)}=${text}` : text
  }
  const between = explode ? '=' : ','
  const parts = Array.isArray(value)
    ? value.map((part) => percentEncode(textOf(part)))
    : pairsOf(value).map(([name, part]) => `${percentEncode(name)}${between}${percentEncode(part)}`)
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  const name = percentEncode(wireName)
  if (!explode) return `;${name}=${parts.join(',')}`
  return parts.map((part) => (Array.isArray(value) ? `;${name}=${part}` : `;${part}`)).join('')
}

const pairsOf = (value: Record<string, unknown>): [string, string][] =>
  Object.entries(value)
    .filter(([, part]) => part !== undefined && part !== null)
    .map(([name, part]) => [name, textOf(part)])

const separators = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C', tabDelimited: '%09' }
/** What ends a part must not be in it, where encoding does not tell the two apart. */
const ambiguous = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' }

/** Pairs of a query, of cookies or of an urlencoded form, percent-encoded. */
export function writeQuery(field: Field, value: unknown): string[] {
  const { wireName, style = 'form' } = field
  const encode = encoder(field)
  const name = percentEncode(wireName)
  const pair = (text: string) => `${name}=${encode(text)}`
  if (value === undefined || value === null) return []
  if (style === 'json') return [pair(JSON.stringify(value))]
  if (style === 'deepObject') return deepPairs(wireName, value, encode)
  const isForm = style === 'form'
  const isExploded = field.explode ?? isForm
  if (Array.isArray(value)) {
    if (isExploded) return value.map((part) => pair(textOf(part)))
    const parts = value.map((part) => separable(field, textOf(part)))
    return value.length === 0 ? [] : [`${name}=${parts.map(encode).join(separatorOf(style))}`]
  }
  if (!isRecord(value)) return [pair(textOf(value))]
  // A form says an object in JSON unless its description says otherwise.
  if (field.in === 'form' && field.style === undefined && field.explode === undefined)
    return [pair(JSON.stringify(value))]
  const pairs = pairsOf(value)
  if (isExploded && isForm)
    return pairs.map(([key, part]) => `${percentEncode(key)}=${encode(part)}`)
  const parts = pairs.flatMap(([key, part]) => [separable(field, key), separable(field, part)])
  return parts.length === 0 ? [] : [`${name}=${parts.map(encode).join(separatorOf(style))}`]
}

const separatorOf = (style: string) => separators[style as keyof typeof separators] ?? ','

function separable({ name, style, allowReserved }: Field, text: string): string {
  const mark = ambiguous[style as keyof typeof ambiguous] ?? (allowReserved ? ',' : undefined)
  if (mark === undefined || !text.includes(mark)) return text
  throw fail('bad_request', {
    message: `A part of the field ${name} has the character ${JSON.stringify(mark)}, which separates its parts.`,
  })
}

/** `filter[a]=1&filter[b][c]=2`, and lists as `filter[d][]=3`. */
function deepPairs(name: string, value: unknown, encode: (text: string) => string): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((part) => deepPairs(`${name}[]`, part, encode))
  if (!isRecord(value)) return [`${percentEncode(name)}=${encode(textOf(value))}`]
  return Object.entries(value).flatMap(([key, part]) => deepPairs(`${name}[${key}]`, part, encode))
}

/** The text of a header. */
export function encodeValue({ name, style, explode = false }: Field, value: unknown): string {
  if (style === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((part) => withoutComma(name, textOf(part))).join(',')
  if (!isRecord(value)) return textOf(value)
  return pairsOf(value)
    .map(
      ([key, part]) =>
        `${withoutComma(name, key)}${explode ? '=' : ','}${withoutComma(name, part)}`,
    )
    .join(',')
}

function withoutComma(name: string, text: string): string {
  if (!text.includes(',')) return text
  throw fail('bad_request', {
    message: `A part of the field ${name} has a comma, which separates its parts in the header.`,
  })
}
