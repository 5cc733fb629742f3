// The parameters of an operation in path, query, header and cookie.

import { membersOf } from '#core/input/members.ts'
import type { DescribedField, JsonSchema } from '../described-operation.ts'
import type { DescriptionReading, DraftField, WriteInput } from './draft-field.ts'
import {
  at,
  follow,
  isObject,
  isReference,
  keyOf,
  type PlainObject,
  partsOf,
  problemAt,
  quoted,
  type SourcePlace,
  textAt,
} from './place.ts'
import { shortDescription } from './text.ts'

/** Where the credential goes, and what the gateway itself says. */
const ownHeaders = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'connection', 'content-length', 'content-type'],
  ...[
    'cookie',
    'expect',
    'host',
    'keep-alive',
    'proxy-authorization',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
])

export interface ParameterFields {
  /** In path, query, header and cookie. */
  readonly fields: DraftField[]
  /** Those of Swagger 2.0 that make the body. */
  readonly body: SourcePlace[]
}

/** `credentials`: the places of the operator's keys, `header x-api-key`, which callers do not fill. */
export function readParameters(
  reading: DescriptionReading,
  {
    pathItem,
    operation,
    write,
  }: { pathItem: SourcePlace; operation: SourcePlace; write: WriteInput },
  credentials: ReadonlySet<string>,
): ParameterFields {
  const read: ParameterFields = { fields: [], body: [] }
  for (const parameter of allParameters(reading, pathItem, operation)) {
    const place = textAt(parameter, 'in')
    const name = textAt(parameter, 'name') ?? ''
    if (place === 'body' || place === 'formData') read.body.push(parameter)
    else if (place === 'header' && ownHeaders.has(name.toLowerCase())) continue
    else if (credentials.has(placeName(place, name))) continue
    else read.fields.push(readParameter(parameter, { place, name, write, reading }))
  }
  return read
}

export const placeName = (place: string | undefined, name: string) =>
  `${place} ${place === 'header' ? name.toLowerCase() : name}`

/** Those of the operation replace those of its path. */
function allParameters(
  reading: DescriptionReading,
  pathItem: SourcePlace,
  operation: SourcePlace,
): SourcePlace[] {
  const chosen = new Map<string, SourcePlace>()
  for (const owner of [operation, pathItem]) {
    const list = at(owner, 'parameters')
    for (const part of partsOf(list)) {
      const parameter = follow(reading.documents, part)
      if (!isObject(parameter.value)) throw problemAt(part, 'A parameter must be an object.')
      const id = placeName(textAt(parameter, 'in'), textAt(parameter, 'name') ?? '')
      if (!chosen.has(id)) chosen.set(id, parameter)
    }
  }
  return [...chosen.values()]
}

interface OneParameter {
  readonly place: string | undefined
  readonly name: string
  readonly write: WriteInput
  readonly reading: DescriptionReading
}

function readParameter(
  parameter: SourcePlace,
  { place, name, write, reading }: OneParameter,
): DraftField {
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie')
    throw problemAt(
      parameter,
      place === undefined
        ? 'The parameter does not say where it goes: give it "in".'
        : `The parameter goes to ${quoted(place)}, which is not a place of a request.`,
    )
  if (name === '') throw problemAt(parameter, 'The parameter has no name.')
  const value = membersOf(parameter.value)
  const media = isObject(value.content) ? partsOf(at(parameter, 'content'))[0] : undefined
  const written = schemaOfParameter(parameter, { media, write, reading })
  const required = place === 'path' || value.required === true
  return {
    in: place,
    wireName: name,
    required,
    schema: notEmpty(documented(written, value), place, required),
    ...(media ? contentStyle(keyOf(media)) : styleOf(value, place)),
    ...(place === 'query' && value.allowReserved === true && { allowReserved: true }),
  }
}

function schemaOfParameter(
  parameter: SourcePlace,
  {
    media,
    write,
    reading,
  }: { media: SourcePlace | undefined; write: WriteInput; reading: DescriptionReading },
): JsonSchema {
  if (media) return at(media, 'schema').value === undefined ? {} : write(at(media, 'schema'))
  if (at(parameter, 'schema').value !== undefined) return write(at(parameter, 'schema'))
  if (reading.dialect !== 'swagger-2.0') return {}
  // In Swagger 2.0 the keywords are the parameter's own. Its `required` is a flag.
  const { description: _, ...schema } = write(parameter)
  return schema
}

export function documented(
  schema: JsonSchema,
  { description, deprecated, example, examples }: PlainObject,
): JsonSchema {
  const first = isObject(examples) ? Object.values(examples).find(isObject)?.value : undefined
  const shown = example ?? first
  return {
    ...schema,
    ...(typeof description === 'string' &&
      description !== '' && { description: shortDescription(description) }),
    ...(deprecated === true && { deprecated: true }),
    ...(shown !== undefined && schema.examples === undefined && { examples: [shown] }),
  }
}

/** An empty value in the path makes another path, and an empty list in the query is not there. */
export function notEmpty(
  schema: JsonSchema,
  place: DescribedField['in'],
  required: boolean,
): JsonSchema {
  if (place === 'path') return atLeastOne(schema, ['minLength', 'minItems', 'minProperties'])
  return required && place !== 'body' ? atLeastOne(schema, ['minItems', 'minProperties']) : schema
}

const typeOfLimit: Record<string, string> = {
  minLength: 'string',
  minItems: 'array',
  minProperties: 'object',
}

function atLeastOne(schema: JsonSchema, limits: readonly string[]): JsonSchema {
  const { type } = schema
  const isReferenceOrMixed = type === undefined
  const needed = limits.filter(
    (limit) =>
      !(Number(schema[limit]) >= 1) &&
      (isReferenceOrMixed ||
        type === typeOfLimit[limit] ||
        (Array.isArray(type) && type.includes(typeOfLimit[limit]))),
  )
  return needed.length === 0
    ? schema
    : { ...schema, ...Object.fromEntries(needed.map((limit) => [limit, 1])) }
}

type Style = Pick<DescribedField, 'style' | 'explode'>

const contentStyle = (mediaType: string): Style => (isJsonType(mediaType) ? { style: 'json' } : {})

export const isJsonType = (mediaType: string) =>
  /^(?:application|text)\/(?:[\w.+-]+\+)?(?:json|x-json)\s*(?:;|$)/i.test(mediaType)

const styles = new Set([
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
])

/** Style and `explode` where they are not the default of the place. */
export function styleOf(value: PlainObject, place: DescribedField['in']): Style {
  const { style, explode, collectionFormat, type } = value
  if (type === 'array') return collectionStyle(collectionFormat, place)
  const usual = place === 'query' || place === 'cookie' || place === 'form' ? 'form' : 'simple'
  const own = typeof style === 'string' && styles.has(style) ? (style as Style['style']) : usual
  const isExploded = typeof explode === 'boolean' ? explode : own === 'form' || own === 'deepObject'
  return {
    ...(own !== usual && { style: own }),
    ...(isExploded !== (own === 'form') && { explode: isExploded }),
  } as Style
}

/** Of Swagger 2.0, where `csv` is the default everywhere. */
function collectionStyle(format: unknown, place: DescribedField['in']): Style {
  if (place !== 'query' && place !== 'form') return {}
  if (format === 'multi') return {}
  if (format === 'ssv') return { style: 'spaceDelimited' }
  if (format === 'tsv') return { style: 'tabDelimited' }
  if (format === 'pipes') return { style: 'pipeDelimited' }
  return { explode: false }
}

/** Whether a schema is, behind its references, a file: binary text. */
export function isFile(reading: DescriptionReading, schema: SourcePlace): boolean {
  const { value } = isReference(schema) ? follow(reading.documents, schema) : schema
  if (!isObject(value)) return false
  if (value.type === 'file') return true
  const isText = value.type === 'string' || value.type === undefined
  return isText && (value.format === 'binary' || value.format === 'file' || isBytes(value))
}

const isBytes = ({ type, contentEncoding, contentMediaType }: PlainObject) =>
  (type === undefined || type === 'string') &&
  contentEncoding === undefined &&
  typeof contentMediaType === 'string' &&
  !/json|text/.test(contentMediaType)
