// Reads the description of an API, OpenAPI 3.0 or 3.1 or Swagger 2.0, into operations that can be sold.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  DescribedApi,
  DescribedOperation,
  Json,
  JsonSchema,
  LeftOutPart,
} from '../described-operation.ts'
import type { DescriptionReading } from './draft-field.ts'
import { exampleInput } from './example.ts'
import type { Dialect } from './keywords.ts'
import { leftOutMax, operationsMax, versionCharactersMax } from './limits.ts'
import { type LoadFile, loadDocuments } from './load-documents.ts'
import { type OperationDraft, type OperationPlace, ownId, readOperation } from './operation.ts'
import type { Resolve } from './pagination.ts'
import {
  at,
  follow,
  isObject,
  keyOf,
  partsOf,
  problemAt,
  quoted,
  type SourcePlace,
  textAt,
} from './place.ts'
import { DescriptionProblem } from './problem.ts'
import { createSchemas, type DefinitionIds } from './schemas.ts'
import { credentialPlaces } from './security.ts'
import { serversOf } from './servers.ts'
import { actionName, shownText, takeName, titleOf } from './text.ts'

type Fits = (schema: JsonSchema, value: Json) => boolean

export interface DescriptionSource {
  readonly text: string
  /** Where the text is from: a URL, or empty. References to other files and relative servers begin there. */
  readonly address: string
  /** Reads another file. Absent: there are no others. */
  readonly load?: LoadFile | undefined
  /** Replaces the servers of the description. */
  readonly server?: string | undefined
  /** Makes a check of whether a value fits a schema, so that an example that does not fit is not shown. */
  readonly fitting?: ((definitions: DescribedApi['definitions']) => Fits) | undefined
}

/**
 * Throws a DescriptionProblem when nothing of it can be read. One operation that cannot be read does not touch the
 * others.
 */
export async function readDescription(source: DescriptionSource): Promise<DescribedApi> {
  const { root: document, documents } = await loadDocuments(
    source.text,
    source.address,
    source.load,
  )
  const root: SourcePlace = { document, path: [], value: document.value }
  const dialect = dialectOf(root)
  const reading: DescriptionReading = {
    root,
    documents,
    dialect,
    schemas: createSchemas(documents, dialect),
  }
  const leftOut: LeftOutPart[] = []
  const leaveOut = (where: string, thrown: unknown) => {
    if (!(thrown instanceof DescriptionProblem)) throw thrown
    if (leftOut.length === leftOutMax) return
    leftOut.push({
      where: shownText(where),
      ...(thrown.line !== undefined && { line: thrown.line }),
      why: shownText(thrown.message),
    })
  }
  const needs: DefinitionIds = new Set()
  const credentials = credentialPlaces(reading)
  const read: { readonly operation: OperationDraft; readonly place: OperationPlace }[] = []
  for (const place of operationPlaces(reading, leaveOut)) {
    try {
      if (read.length === operationsMax)
        throw problemAt(place.operation, `An import has at most ${operationsMax} operations.`)
      const own: DefinitionIds = new Set()
      const operation = readOperation(reading, place, {
        needs: own,
        credentials,
        server: source.server,
      })
      for (const need of own) needs.add(need)
      read.push({ operation, place })
    } catch (thrown) {
      leaveOut(`${place.method} ${place.template}`, thrown)
    }
  }
  const definitions = reading.schemas.definitions(needs)
  const info = at(root, 'info')
  const fits = source.fitting?.(definitions)
  const operations: DescribedOperation[] = []
  for (const operation of named(read)) {
    operations.push(withExample(operation, definitions, fits))
    // Schemas may be large, and other callers wait.
    await nextTurn()
  }
  return {
    title: titleOf(textAt(info, 'title')) || 'An API without a title',
    version: shownText(String(at(info, 'version').value ?? '')).slice(0, versionCharactersMax),
    servers: source.server ? [source.server] : serversOf(root, root),
    operations,
    definitions,
    leftOut,
  }
}

function dialectOf(root: SourcePlace): Dialect {
  if (!isObject(root.value))
    throw problemAt(root, 'The file is not a description of an API: it has no fields.')
  const version = String(root.value.openapi ?? root.value.swagger ?? '')
  if (root.value.openapi !== undefined && /^3\.0(?:\.|$)/.test(version)) return 'openapi-3.0'
  // 3.2 adds to 3.1.
  if (root.value.openapi !== undefined && /^3\.[12](?:\.|$)/.test(version)) return 'openapi-3.1'
  if (root.value.openapi !== undefined && version === '3') return 'openapi-3.0'
  if (root.value.swagger !== undefined && /^2(?:\.0)?$/.test(version)) return 'swagger-2.0'
  const line = at(root, root.value.openapi === undefined ? 'swagger' : 'openapi')
  throw problemAt(
    line.value === undefined ? root : line,
    version === ''
      ? 'The file does not say what it is: it has neither "openapi" nor "swagger" at its top.'
      : `The version ${quoted(version)} cannot be read: OpenAPI 3.0, 3.1 and Swagger 2.0 can.`,
  )
}

const soldMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const otherMethods = new Set(['HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

function* operationPlaces(
  { root, documents }: DescriptionReading,
  leaveOut: (where: string, thrown: unknown) => void,
): Generator<OperationPlace> {
  for (const written of partsOf(at(root, 'paths'))) {
    const template = keyOf(written)
    if (template.startsWith('x-')) continue
    let pathItem: SourcePlace
    try {
      pathItem = follow(documents, written)
    } catch (thrown) {
      leaveOut(template, thrown)
      continue
    }
    for (const operation of partsOf(pathItem)) {
      const method = keyOf(operation).toUpperCase()
      if (otherMethods.has(method))
        leaveOut(
          `${method} ${template}`,
          problemAt(operation, `${method} is not sold: it answers nothing.`),
        )
      else if (soldMethods.has(method) && !isObject(operation.value))
        leaveOut(`${method} ${template}`, problemAt(operation, 'The operation is not an object.'))
      else if (soldMethods.has(method))
        yield { method: method as DescribedOperation['method'], template, pathItem, operation }
    }
  }
}

/** Uses the operation's own id if no other operation has it; otherwise its method and path. */
function named(
  read: readonly { readonly operation: OperationDraft; readonly place: OperationPlace }[],
): (OperationDraft & Pick<DescribedOperation, 'name'>)[] {
  const ids = read.map(({ place }) => actionName(ownId(place.operation) ?? ''))
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const unique = ids.map((id) => (id !== '' && counts.get(id) === 1 ? id : undefined))
  const taken = new Set(unique.filter((id) => id !== undefined))
  return read.map(({ operation }, index) => ({
    name: unique[index] ?? takeName(actionName(operation.key) || 'operation', taken),
    ...operation,
  }))
}

function withExample(
  operation: Omit<DescribedOperation, 'example'>,
  definitions: DescribedApi['definitions'],
  fits: Fits | undefined,
): DescribedOperation {
  const { input } = operation
  const resolve = (reference: string) => definitions[reference.slice('#/$defs/'.length)]
  const full = exampleInput(input, resolve, false)
  if (fits === undefined || fits(input, full)) return { ...operation, example: full }
  return { ...operation, example: mended(input, full, { fits, resolve }) }
}

/** Without the values that the description shows and that do not fit its own schemas. */
function mended(
  input: JsonSchema,
  full: DescribedOperation['example'],
  { fits, resolve }: { readonly fits: Fits; readonly resolve: Resolve },
): DescribedOperation['example'] {
  const properties = input.properties ?? {}
  const smallest = exampleInput(input, resolve, true)
  const fields = Object.entries(full).flatMap(([name, value]): [string, Json][] => {
    if (fits(properties[name] ?? {}, value)) return [[name, value]]
    return Object.hasOwn(smallest, name) ? [[name, smallest[name] ?? null]] : []
  })
  return Object.fromEntries(fields)
}
