// The types of the routes other than actions for the TypeScript client, written from the OpenAPI document.
import { comment, type JsonSchema, typeOf } from './client-types.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>
}

interface Operation {
  readonly summary: string
  readonly parameters: readonly (
    | { readonly $ref: string }
    | {
        readonly name: string
        readonly in: 'path' | 'query'
        readonly required: boolean
        readonly schema: JsonSchema
      }
  )[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Route {
  readonly name: string
  readonly operation: Operation
}

/** The text of clients/typescript/src/catalog/routes.ts. */
export function clientRoutes({ paths, components }: OpenApiDocument, note: string): string {
  const routes: Route[] = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/') && !/^\/api\/run\/[^{]/.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation: operation as Operation,
      })),
    )
    .filter(isOfClients)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const describe = (route: Route) => describeRoute(route, components.schemas)
  return `// ${note}

/** Every route other than actions by its method and path: what is sent, and what is answered. */
export interface Routes {
${routes.map(describe).join('\n')}
}

/** The routes that take an idempotency key. */
export const keyedRoutes: ReadonlySet<string> = new Set([
${routes
  .filter(isKeyed)
  .map(({ name }) => `  '${name}',`)
  .join('\n')}
])
`
}

/** The client has methods of their own for these. */
const ownMethods = new Set([
  'POST /api/run/{service}/{action}',
  'POST /api/llm/v1/chat/completions',
])

/** Signed addresses are used as they are. */
const isOfClients = ({ name, operation: { parameters } }: Route) =>
  !ownMethods.has(name) && !parameters.some((each) => 'in' in each && each.name === 'sig')

const isKeyed = ({ operation }: Route) =>
  operation.parameters.some((each) => '$ref' in each && each.$ref.endsWith('/IdempotencyKey'))

const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}

function describeRoute(
  { name, operation }: Route,
  schemas: OpenApiDocument['components']['schemas'],
) {
  const { summary, requestBody } = operation
  const resolve = (schema: JsonSchema) =>
    schema.$ref === undefined
      ? schema
      : (schemas[schema.$ref.split('/').at(-1) ?? ''] as JsonSchema)
  const body = requestBody?.content?.['application/json']?.schema
  const answer = successOf(operation)['application/json']?.schema
  const rows = name.startsWith('GET ') && answer !== undefined ? rowsOf(resolve(answer)) : undefined
  const members = [
    ...(['path', 'query'] as const).flatMap((place) => parametersIn(operation, place)),
    ...(body === undefined ? [] : [`body: ${typeOf(resolve(body), 4)}`]),
    `answer: ${answer === undefined ? 'Blob' : typeOf(resolve(answer), 4)}`,
    ...(rows === undefined ? [] : [`rows: '${rows}'`]),
  ]
  return `${comment(summary, 2)}  '${name}': {\n    ${members.join('\n    ')}\n  }`
}

function parametersIn({ parameters }: Operation, place: 'path' | 'query'): string[] {
  const found = parameters.filter((each) => 'in' in each).filter((each) => each.in === place)
  if (found.length === 0) return []
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
  return [`${place}: ${typeOf(schema, 4)}`]
}

/** The property that has the rows of a list. Details of one thing may have a list too, and an id. */
function rowsOf({ properties = {} }: JsonSchema): string | undefined {
  const names = Object.keys(properties)
  const lists = names.filter((name) => properties[name]?.type === 'array')
  const isDetail = names.some((name) => name.endsWith('_id'))
  return lists.length === 1 && !isDetail ? lists[0] : undefined
}
