// What the clients of both languages know of a gateway: its actions, from their schemas, and its other routes, from the
// OpenAPI document.

import { type Catalog, inputSchemaOf, outputSchemaOf } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { describePrice } from '#core/pricing/describe-price.ts'

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

export interface KnownAction {
  readonly name: string
  /** What it does, and its price. */
  readonly text: string
  /** Without the ceiling, which is an option of the client. */
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly isJob: boolean
  readonly needsMaxCost: boolean
}

export interface KnownRoute {
  /** `GET /api/v1/keys/{id}`. */
  readonly name: string
  readonly text: string
  readonly path: JsonSchema | undefined
  readonly query: JsonSchema | undefined
  readonly body: JsonSchema | undefined
  /** Undefined if it is not JSON. */
  readonly answer: JsonSchema | undefined
  /** The property of the answer that has the rows of a list. */
  readonly rows: string | undefined
  /** Whether it takes an idempotency key. */
  readonly isKeyed: boolean
}

export const actionsOf = (catalog: Catalog): KnownAction[] =>
  catalog.entries
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, action }) => {
      const { properties = {}, required = [], ...rest } = inputSchemaOf(action) as JsonSchema
      const { [ceilingField]: _, ...parameters } = properties
      return {
        name: id,
        text: `${action.summary} Price: ${describePrice(action).text}.`,
        input: { ...rest, properties: parameters, required },
        output: outputSchemaOf(action) as JsonSchema,
        isJob: action.mode === 'job',
        needsMaxCost: required.includes(ceilingField),
      }
    })

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Operation {
  readonly summary: string
  readonly parameters: readonly ({ readonly $ref: string } | Parameter)[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** The clients have methods of their own for these. */
const ownMethods = new Set([
  'POST /api/run/{service}/{action}',
  'POST /api/llm/v1/chat/completions',
])

export const routesOf = ({ paths, components }: OpenApiDocument): KnownRoute[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/') && !/^\/api\/run\/[^{]/.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => !isSigned(operation as Operation))
        .map(([method, operation]) =>
          readRoute(`${method.toUpperCase()} ${path}`, operation as Operation, components.schemas),
        ),
    )
    .filter(({ name }) => !ownMethods.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** Signed addresses are used as they are. */
const isSigned = ({ parameters }: Operation) =>
  parameters.some((each) => 'in' in each && each.name === 'sig')

function readRoute(
  name: string,
  { summary, parameters, requestBody, responses }: Operation,
  schemas: OpenApiDocument['components']['schemas'],
): KnownRoute {
  const resolve = (schema: JsonSchema | undefined) =>
    schema?.$ref === undefined
      ? schema
      : (schemas[schema.$ref.split('/').at(-1) ?? ''] as JsonSchema)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = resolve(success?.content?.['application/json']?.schema)
  return {
    name,
    text: summary,
    answer,
    path: parametersIn(parameters, 'path'),
    query: parametersIn(parameters, 'query'),
    body: resolve(requestBody?.content?.['application/json']?.schema),
    rows: name.startsWith('GET ') && answer !== undefined ? rowsOf(answer) : undefined,
    isKeyed: parameters.some((each) => '$ref' in each && each.$ref.endsWith('/IdempotencyKey')),
  }
}

function parametersIn(
  parameters: Operation['parameters'],
  place: 'path' | 'query',
): JsonSchema | undefined {
  const found = parameters.filter((each) => 'in' in each).filter((each) => each.in === place)
  if (found.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** Details of one thing may have a list too, and an id. */
function rowsOf({ properties = {} }: JsonSchema): string | undefined {
  const names = Object.keys(properties)
  const lists = names.filter((name) => properties[name]?.type === 'array')
  const isDetail = names.some((name) => name.endsWith('_id'))
  return lists.length === 1 && !isDetail ? lists[0] : undefined
}
