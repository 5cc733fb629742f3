// The body of a request. An object's properties become fields beside the parameters where nothing is lost by it; any
// other body is one field.

import { membersOf } from '#core/input/members.ts'
import { ownValue } from '#core/input/own-value.ts'
import type { DescribedOperation, JsonSchema } from '../described-operation.ts'
import type { DescriptionReading, DraftField, WriteInput } from './draft-field.ts'
import { flatProperties } from './flat-properties.ts'
import { documented, isFile, isJsonType, notEmpty, styleOf } from './parameters.ts'
import {
  at,
  follow,
  isObject,
  keyOf,
  partsOf,
  problemAt,
  type SourcePlace,
  textAt,
} from './place.ts'

export interface BodyFields extends Pick<DescribedOperation, 'bodyType' | 'bodyContentType'> {
  readonly fields: readonly DraftField[]
}

const withoutBody: BodyFields = { bodyType: undefined, fields: [] }
/** The content of a file, as the caller sends it. */
const fileSchema = (description: unknown): JsonSchema => ({
  type: 'string',
  contentEncoding: 'base64',
  description: [
    description,
    'A file: its content in base64, as a data URL with its name (`data:image/png;name=cat.png;base64,…`), or the file_id of a file of yours.',
  ]
    .filter(Boolean)
    .join(' '),
})

/** Of OpenAPI 3. */
export function readRequestBody(
  reading: DescriptionReading,
  { operation, method, write }: { operation: SourcePlace; method: string; write: WriteInput },
): BodyFields {
  const asked = at(operation, 'requestBody')
  if (asked.value === undefined) return withoutBody
  const body = follow(reading.documents, asked)
  const isRequired = at(body, 'required').value === true
  if (method === 'GET') {
    if (isRequired) throw problemAt(asked, 'A GET that needs a body cannot be sent.')
    return withoutBody
  }
  const media = chooseMedia(partsOf(at(body, 'content')))
  if (media === undefined) return withoutBody
  const mayBeMissing = !isRequired && method === 'DELETE'
  const owner = { isRequired, mayBeMissing, description: textAt(body, 'description') }
  const example = mediaExample(reading, media)
  const read = readMedia(reading, { media, owner, write })
  return example === undefined ? read : withExample(read, example)
}

function chooseMedia(media: readonly SourcePlace[]): SourcePlace | undefined {
  const rank = (place: SourcePlace) => {
    const type = keyOf(place).toLowerCase()
    if (isJsonType(type)) return type.startsWith('application/json') ? 0 : 1
    if (type.startsWith('multipart/form-data')) return 2
    if (type.startsWith('application/x-www-form-urlencoded')) return 3
    if (type === '*/*' || type === 'application/*') return 4
    return type.startsWith('text/') ? 5 : 6
  }
  return [...media].sort((a, b) => rank(a) - rank(b))[0]
}

interface Owner {
  readonly isRequired: boolean
  /** Most descriptions forget to say that a body is required: only a DELETE is sent without one. */
  readonly mayBeMissing: boolean
  readonly description: string | undefined
}

function readMedia(
  reading: DescriptionReading,
  { media, owner, write }: { media: SourcePlace; owner: Owner; write: WriteInput },
): BodyFields {
  const type = keyOf(media).trim()
  const schema = at(media, 'schema')
  if (/^multipart\/form-data/i.test(type))
    return readForm(reading, {
      schema,
      owner,
      write,
      encoding: at(media, 'encoding'),
      bodyType: 'multipart',
    })
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return readForm(reading, {
      schema,
      owner,
      write,
      encoding: at(media, 'encoding'),
      bodyType: 'form',
    })
  if (/^multipart\//i.test(type))
    throw problemAt(media, `A body of the type ${type} cannot be sent.`)
  const isWild = type.includes('*')
  const isBinary = schema.value !== undefined && isFile(reading, schema)
  if (isJsonType(type) || (isWild && !isBinary && schema.value !== undefined))
    return {
      bodyType: 'json',
      ...(!isWild && !/^application\/json$/i.test(type) && { bodyContentType: type }),
      fields: jsonFields(reading, { schema, owner, write }),
    }
  const isText = /^text\/|[/+]xml\b|yaml|graphql|javascript|ndjson|csv/i.test(type)
  return {
    bodyType: 'raw',
    bodyContentType: isWild ? 'application/octet-stream' : type,
    fields: [
      {
        in: isText ? 'body' : 'file',
        wireName: '',
        preferredName: isText ? 'body' : 'file',
        required: owner.isRequired,
        schema: isText
          ? { type: 'string', description: owner.description ?? `The body, of the type ${type}.` }
          : fileSchema(owner.description ?? `The body, of the type ${type}.`),
      },
    ],
  }
}

function jsonFields(
  reading: DescriptionReading,
  { schema, owner, write }: { schema: SourcePlace; owner: Owner; write: WriteInput },
): DraftField[] {
  const properties =
    schema.value === undefined ? undefined : flatProperties(reading.documents, schema)
  const needsSome = properties?.some(({ required }) => required)
  if (properties === undefined || (needsSome && owner.mayBeMissing)) {
    const written = schema.value === undefined ? {} : write(schema)
    const described = documented(written, { description: owner.description })
    const { isRequired: required } = owner
    return [{ in: 'body', wireName: '', preferredName: 'body', required, schema: described }]
  }
  return properties.map(({ name, places, required }) => ({
    in: 'body',
    wireName: name,
    required,
    schema: allOf(places.map(write)),
  }))
}

const allOf = ([first = {}, ...others]: readonly JsonSchema[]): JsonSchema =>
  others.length === 0 ? first : { allOf: [first, ...others] }

interface Form {
  readonly schema: SourcePlace
  readonly owner: Owner
  readonly write: WriteInput
  readonly encoding: SourcePlace
  readonly bodyType: 'form' | 'multipart'
}

function readForm(
  reading: DescriptionReading,
  { schema, owner, write, encoding, bodyType }: Form,
): BodyFields {
  const properties =
    schema.value === undefined ? undefined : flatProperties(reading.documents, schema)
  if (properties === undefined) {
    const written = schema.value === undefined ? { type: 'object' } : write(schema)
    const described = documented(written, { description: owner.description })
    const field = {
      in: 'form',
      wireName: '',
      preferredName: 'body',
      required: owner.isRequired,
    } as const
    return { bodyType, fields: [{ ...field, schema: described }] }
  }
  const fields = properties.map(({ name, places, required }): DraftField => {
    const [place] = places
    const part = at(encoding, name)
    const contentType = textAt(part, 'contentType')?.split(',', 1)[0]
    const files = bodyType === 'multipart' && place ? filesSchema(reading, place) : undefined
    if (files)
      return {
        in: 'file',
        wireName: name,
        required,
        schema: files,
        ...(contentType && { contentType }),
      }
    const written = allOf(places.map(write))
    return {
      in: 'form',
      wireName: name,
      required,
      schema: notEmpty(written, 'form', required),
      ...(bodyType === 'multipart'
        ? contentType && { contentType }
        : contentType && isJsonType(contentType)
          ? { style: 'json' as const }
          : isObject(part.value) && styleOf(part.value, 'form')),
    }
  })
  return { bodyType, fields }
}

/** Of a file, or a list of them; undefined for anything else. */
function filesSchema(reading: DescriptionReading, schema: SourcePlace): JsonSchema | undefined {
  const target = follow(reading.documents, schema)
  const description = textAt(schema, 'description') ?? textAt(target, 'description')
  if (isFile(reading, schema)) return fileSchema(description)
  const items = at(target, 'items')
  const isList = at(target, 'type').value === 'array' && items.value !== undefined
  return isList && isFile(reading, items)
    ? { type: 'array', items: fileSchema(undefined), minItems: 1 }
    : undefined
}

/** Of Swagger 2.0: one `body`, or the parts of a form. */
export function readBodyParameters(
  reading: DescriptionReading,
  { operation, method, write }: { operation: SourcePlace; method: string; write: WriteInput },
  parameters: readonly SourcePlace[],
): BodyFields {
  if (parameters.length === 0) return withoutBody
  const isRequired = parameters.some((parameter) => at(parameter, 'required').value === true)
  if (method === 'GET') {
    const [parameter = operation] = parameters
    if (isRequired) throw problemAt(parameter, 'A GET that needs a body cannot be sent.')
    return withoutBody
  }
  const consumed = consumes(reading, operation)
  const body = parameters.find((parameter) => textAt(parameter, 'in') === 'body')
  if (body === undefined) return formParameters(parameters, { consumed, write })
  const mayBeMissing = !isRequired && method === 'DELETE'
  const owner = { isRequired, mayBeMissing, description: textAt(body, 'description') }
  const type = consumed.find(isJsonType) ?? consumed[0] ?? 'application/json'
  const media: SourcePlace = { ...body, path: [...body.path.slice(0, -1), type] }
  const place = at(body, 'schema')
  if (isJsonType(type) || /^application\/(?:x-www-form-urlencoded|\*)|^\*|^multipart/i.test(type))
    return {
      bodyType: 'json',
      ...(isJsonType(type) && !/^application\/json$/i.test(type) && { bodyContentType: type }),
      fields: jsonFields(reading, { schema: place, owner, write }),
    }
  return readMedia(reading, { media, owner, write })
}

function consumes({ root }: DescriptionReading, operation: SourcePlace): string[] {
  const own = at(operation, 'consumes').value ?? at(root, 'consumes').value
  return Array.isArray(own) ? own.filter((type) => typeof type === 'string') : []
}

function formParameters(
  parameters: readonly SourcePlace[],
  { consumed, write }: { consumed: readonly string[]; write: WriteInput },
): BodyFields {
  const hasFile = parameters.some((parameter) => textAt(parameter, 'type') === 'file')
  const isUrlencoded = consumed.some((type) => /urlencoded/i.test(type))
  const isMultipart =
    hasFile || (!isUrlencoded && consumed.some((type) => /^multipart/i.test(type)))
  const fields = parameters.map((parameter): DraftField => {
    const value = membersOf(parameter.value)
    const wireName = textAt(parameter, 'name') ?? ''
    if (wireName === '') throw problemAt(parameter, 'The parameter has no name.')
    const required = value.required === true
    if (value.type === 'file')
      return { in: 'file', wireName, required, schema: fileSchema(value.description) }
    const schema = notEmpty(documented(write(parameter), value), 'form', required)
    return { in: 'form', wireName, required, schema, ...styleOf(value, 'form') }
  })
  return { bodyType: isMultipart ? 'multipart' : 'form', fields }
}

function mediaExample(reading: DescriptionReading, media: SourcePlace): unknown {
  const { value } = media
  if (!isObject(value)) return undefined
  if (value.example !== undefined) return value.example
  for (const part of isObject(value.examples) ? partsOf(at(media, 'examples')) : []) {
    const example = safely(() => follow(reading.documents, part))
    const shown = example && at(example, 'value').value
    if (shown !== undefined) return shown
  }
  return undefined
}

function safely<Result>(ask: () => Result): Result | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** The example of the whole body becomes those of its fields. */
function withExample(body: BodyFields, example: unknown): BodyFields {
  const fields = body.fields.map((field) => {
    const shown = field.wireName === '' ? example : ownValue(example, field.wireName)
    if (
      shown === undefined ||
      shown === null ||
      JSON.stringify(shown).length > exampleCharactersMax
    )
      return field
    const others = Array.isArray(field.schema.examples) ? field.schema.examples : []
    return { ...field, schema: { ...field.schema, examples: [shown, ...others].slice(0, 3) } }
  })
  return { ...body, fields }
}

const exampleCharactersMax = 4_000
