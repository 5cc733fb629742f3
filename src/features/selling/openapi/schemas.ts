// The schemas of a description as JSON Schema 2020-12. A reference stays one: its target becomes a definition, once for
// requests and once for answers, so that circles need no end and large schemas are kept once.

import { membersOf } from '#core/input/members.ts'
import type { JsonSchema } from '../described-operation.ts'
import { openCircles } from './circles.ts'
import {
  type Dialect,
  discriminatorText,
  isNullableOtherwise,
  plainPart,
  type SchemaUse,
} from './keywords.ts'
import { definitionsBytesMax, depthMax } from './limits.ts'
import {
  at,
  follow,
  idOf,
  isObject,
  isReference,
  keyOf,
  type PlainObject,
  partsOf,
  problemAt,
  type SourceDocuments,
  type SourcePlace,
} from './place.ts'
import { DescriptionProblem } from './problem.ts'
import { takeName } from './text.ts'

/** The definitions that a schema refers to, by their own ids. */
export type DefinitionIds = Set<string>

export interface Schemas {
  /** Adds to `needs`. Throws a DescriptionProblem, for the use `input` only. */
  write(place: SourcePlace, use: SchemaUse, needs: DefinitionIds): JsonSchema
  /** Throws the problem of a definition among those that are needed, or that these need. */
  check(needs: DefinitionIds): void
  /** What a reference that was written here leads to. */
  resolve(reference: string): JsonSchema | undefined
  /** What is needed, by name. */
  definitions(needs: Iterable<string>): Record<string, JsonSchema>
}

interface Definition {
  readonly name: string
  readonly needs: DefinitionIds
  schema: JsonSchema
  problem?: DescriptionProblem
}

const oneSchema = [
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const schemaMaps = ['patternProperties', 'dependentSchemas']
const branchesMax = 20
const referencePrefix = '#/$defs/'

/** The state of one description. */
interface Writing {
  readonly documents: SourceDocuments
  readonly dialect: Dialect
  readonly definitions: Map<string, Definition>
  readonly byName: Map<string, Definition>
  readonly names: Set<string>
  readonly pending: { readonly id: string; readonly place: SourcePlace; readonly use: SchemaUse }[]
  bytes: number
}

/** What a schema is written for. */
interface Target {
  readonly use: SchemaUse
  readonly needs: DefinitionIds
  readonly depth: number
}

export function createSchemas(documents: SourceDocuments, dialect: Dialect): Schemas {
  const writing: Writing = {
    documents,
    dialect,
    definitions: new Map(),
    byName: new Map(),
    names: new Set(),
    pending: [],
    bytes: 0,
  }
  const sound = new Set<string>()
  return {
    write(place, use, needs) {
      const schema = convert(writing, place, { use, needs, depth: 0 })
      finish(writing)
      return schema
    },
    check(needs) {
      const reached = reach(writing, needs, sound)
      for (const { problem } of reached.values()) if (problem) throw problem
      for (const id of reached.keys()) sound.add(id)
    },
    resolve: (reference) => writing.byName.get(reference.slice(referencePrefix.length))?.schema,
    definitions: (needs) =>
      Object.fromEntries(
        [...reach(writing, needs).values()].map(({ name, schema }) => [name, schema]),
      ),
  }
}

function define(writing: Writing, place: SourcePlace, use: SchemaUse) {
  const id = `${use} ${idOf(place)}`
  const known = writing.definitions.get(id)
  if (known) return { id, name: known.name }
  const name = takeName(definitionName(place, use), writing.names, '_')
  const definition: Definition = { name, needs: new Set(), schema: {} }
  writing.definitions.set(id, definition)
  writing.byName.set(name, definition)
  writing.pending.push({ id, place, use })
  return { id, name }
}

function convert(writing: Writing, place: SourcePlace, target: Target): JsonSchema {
  const { value } = place
  const { use, depth } = target
  if (value === true) return {}
  if (value === false) return { not: {} }
  if (!isObject(value) || depth > depthMax) {
    if (use === 'output') return {}
    const why = depth > depthMax ? 'The schema is too deep.' : 'A schema must be an object.'
    throw problemAt(place, why)
  }
  if (!isReference(place)) return convertObject(writing, place, target)
  const reference = refer(writing, place, target)
  const beside = Object.keys(value).filter((key) => key !== '$ref')
  if (beside.length === 0) return reference
  if (writing.dialect === 'openapi-3.1')
    return { ...convertObject(writing, place, target), ...reference }
  const { description } = value
  return typeof description === 'string' ? { ...reference, description } : reference
}

function refer(writing: Writing, place: SourcePlace, { use, needs }: Target): JsonSchema {
  try {
    const { id, name } = define(writing, follow(writing.documents, place), use)
    needs.add(id)
    return { $ref: `${referencePrefix}${name}` }
  } catch (thrown) {
    if (use === 'output' && thrown instanceof DescriptionProblem) return {}
    throw thrown
  }
}

function convertObject(writing: Writing, place: SourcePlace, target: Target): JsonSchema {
  const schema = membersOf(place.value)
  const { use, depth } = target
  const write: WriteSchema = (part) => convert(writing, part, { ...target, depth: depth + 1 })
  const hidden = hiddenNames(writing.documents, place, use)
  const result = {
    ...plainPart(schema, use, hidden),
    ...writeParts(place, schema, write),
    ...writeProperties(place, schema, { write, hidden, use }),
    ...writeItems(place, schema, write),
  }
  const kinds = discriminatorText(schema)
  if (kinds) result.description = [result.description, kinds].filter(Boolean).join(' ')
  for (const key of Object.keys(result)) if (result[key] === undefined) delete result[key]
  return isNullableOtherwise(schema, use) ? { anyOf: [result, { type: 'null' }] } : result
}

type WriteSchema = (part: SourcePlace) => JsonSchema

function writeParts(place: SourcePlace, schema: PlainObject, write: WriteSchema) {
  const result: Record<string, unknown> = {}
  for (const keyword of oneSchema)
    if (isSchema(schema[keyword])) result[keyword] = write(at(place, keyword))
  for (const keyword of schemaLists) {
    const branches = Array.isArray(schema[keyword]) ? partsOf(at(place, keyword)) : []
    if (branches.length > 0) result[keyword] = branches.map(write)
  }
  for (const keyword of schemaMaps)
    if (isObject(schema[keyword])) result[keyword] = writeMap(partsOf(at(place, keyword)), write)
  return result
}

function writeProperties(
  place: SourcePlace,
  schema: PlainObject,
  {
    write,
    hidden,
    use,
  }: {
    readonly write: WriteSchema
    readonly hidden: ReadonlySet<string>
    readonly use: SchemaUse
  },
) {
  const result: Record<string, unknown> = {}
  if (isObject(schema.properties)) {
    const shown = partsOf(at(place, 'properties')).filter((part) => !hidden.has(keyOf(part)))
    result.properties = writeMap(shown, write)
  }
  if (schema.additionalProperties === false) result.additionalProperties = false
  // It says nothing that is not so without it, except to those who price a place of the answer.
  else if (schema.additionalProperties === true && use === 'output')
    result.additionalProperties = true
  else if (isObject(schema.additionalProperties))
    result.additionalProperties = write(at(place, 'additionalProperties'))
  return result
}

/** Writes the definitions that were referred to, and those that they refer to. */
function finish(writing: Writing): void {
  const written: Definition[] = []
  for (let next = writing.pending.pop(); next; next = writing.pending.pop()) {
    const definition = writing.definitions.get(next.id)
    if (definition === undefined) continue
    written.push(definition)
    try {
      if (writing.bytes > definitionsBytesMax) throw tooMuch(next.place)
      const target = { use: next.use, needs: definition.needs, depth: 0 }
      definition.schema = convert(writing, next.place, target)
      writing.bytes += JSON.stringify(definition.schema).length
    } catch (thrown) {
      if (next.use === 'output') definition.schema = {}
      else definition.problem = thrown instanceof DescriptionProblem ? thrown : tooMuch(next.place)
    }
  }
  openCircles(written)
}

/** The definitions that are needed, and those that these need, without the known ones. */
function reach(
  { definitions }: Writing,
  needs: Iterable<string>,
  known: ReadonlySet<string> = new Set(),
): Map<string, Definition> {
  const reached = new Map<string, Definition>()
  const open = [...needs]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const definition = definitions.get(id)
    if (definition === undefined || reached.has(id) || known.has(id)) continue
    reached.set(id, definition)
    open.push(...definition.needs)
  }
  return reached
}

const tooMuch = (place: SourcePlace) =>
  problemAt(
    place,
    `The schemas have more than ${definitionsBytesMax} bytes. Take out what is not sold.`,
  )

const isSchema = (value: unknown) => isObject(value) || typeof value === 'boolean'

const writeMap = (parts: readonly SourcePlace[], write: (part: SourcePlace) => JsonSchema) =>
  Object.fromEntries(parts.map((part) => [keyOf(part), write(part)]))

function writeItems(
  place: SourcePlace,
  { items }: PlainObject,
  write: (part: SourcePlace) => JsonSchema,
): JsonSchema {
  if (Array.isArray(items))
    return items.length === 0 ? {} : { prefixItems: partsOf(at(place, 'items')).map(write) }
  return isSchema(items) ? { items: write(at(place, 'items')) } : {}
}

function definitionName(place: SourcePlace, use: SchemaUse): string {
  const last = keyOf(place)
  const key = /^(?:schema|items|\d+)?$/.test(last) ? place.path.slice(-4).join('_') : last
  const file = place.document.address
    .split('/')
    .at(-1)
    ?.replace(/\.\w+$/, '')
  const name =
    (key || file || 'schema').replace(/[^\w.-]+/g, '_').replace(/^_+|_+$/g, '') || 'schema'
  return `${name}${use === 'input' ? 'Input' : ''}`
}

/** The properties that requests, or answers, do not have. */
export function hiddenNames(
  documents: SourceDocuments,
  place: SourcePlace,
  use: SchemaUse,
  depth = 0,
): ReadonlySet<string> {
  const flag = use === 'input' ? 'readOnly' : 'writeOnly'
  const names = partsOf(at(place, 'properties')).filter((part) => {
    const schema = followed(documents, part)?.value
    return isObject(schema) && schema[flag] === true
  })
  const branches = depth < hiddenDepthMax ? partsOf(at(place, 'allOf')).slice(0, branchesMax) : []
  const inherited = branches.flatMap((branch) => {
    const schema = followed(documents, branch)
    return schema ? [...hiddenNames(documents, schema, use, depth + 1)] : []
  })
  return new Set([...names.map(keyOf), ...inherited])
}

const hiddenDepthMax = 4

/** Where the references lead, or undefined where they lead nowhere. */
export function followed(documents: SourceDocuments, place: SourcePlace): SourcePlace | undefined {
  try {
    return follow(documents, place)
  } catch {
    return undefined
  }
}
