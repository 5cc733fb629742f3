// Turns described routes into operations of the OpenAPI document.
import { z } from '#core/action.ts'
import { type ErrorCode, errorTable } from '#core/errors.ts'
import { type RouteDefinition, roleOf } from '../doors/route.ts'
import { text } from '../doors/shapes.ts'

/** The group of operations that are not actions. */
export const gatewayTag = 'gateway'

/** What a parameter is, where its schema does not say it. */
const parameters: Readonly<Record<string, string>> = {
  service: 'The provider: the part of the name before the slash.',
  action: 'The action: service/action, or service/* where a list is filtered.',
  id: 'The id, as a list or an earlier answer has it.',
  month: 'The month of UTC, as 2026-11.',
  keyId: 'The key_id of a key of that account.',
  path: 'The rest of the address, which may have slashes.',
  file: 'The name of the file.',
  repository: 'The id of the repository.',
  token: 'The token of the claim_url.',
  link: 'The last part of a link that signs in once.',
  everywhere: 'true: sign out in every browser.',
  uid: 'The id of the request of an OAuth client, which a person decides about.',
  response_type: 'code.',
  client_id: 'The id of the client, or the https address of its metadata document.',
  redirect_uri: 'One of the addresses that the client has registered.',
  code_challenge: 'The SHA-256 of the code verifier in base64url (PKCE).',
  code_challenge_method: 'S256.',
  scope: 'The scope of the token. There is one, which is also the default.',
  state: 'Returned to the client as it is.',
  resource: 'The address that the token is for: that of the gateway, or one below it.',
  exp: 'When the address expires. It is part of a signed address.',
  key: 'The key that asked for the address. It is part of a signed address, unless a wallet asked for it.',
  sig: 'The signature of the address. It is part of a signed address.',
  wait_seconds: 'How long to wait for the end of the job, from 0 to 50 seconds.',
  name: 'The name under which the operator sells the endpoint.',
  after: 'The last id of the page before. Without it, the first page.',
  order: 'desc: newest first. asc: oldest first, where the list has this order.',
  purpose: 'Only files with this purpose.',
  include: 'Further fields of the answer, by the names of the Responses API.',
  'include[]': 'As include, in the form that some clients send.',
  stream: 'true: the answer as events.',
  cursor: 'The next_cursor of the page before. Without it, the first page.',
  limit: 'The most entries of one page.',
  type: 'Only entries of this type.',
  status: 'Only entries with this status.',
  from: 'Only entries from this time on.',
  until: 'Only entries before this time.',
  key_id: 'Only calls with this key.',
  min_cents: 'Only amounts from this one on, taken or added.',
  max_cents: 'Only amounts up to this one, taken or added.',
  free: 'true or false: only calls of free actions, or none of them.',
  account_id: 'Only entries of this account.',
  price_usd: 'The price to look at, in dollars, such as 0.025. Without it, the current one.',
  subject: 'Only entries about what has this id.',
  search: 'A part of a name or an e-mail address, an id, or the prefix of a key.',
  frozen: 'true or false: only accounts that are frozen, or that are not.',
  from_block: 'The block to compare from. Without it, the newest blocks.',
}

/** The paths of the document for all addresses other than actions. */
export function describeRoutes(
  routes: readonly RouteDefinition[],
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((route) => [route.method, describeRoute(route)])),
    ]),
  )
}

const schemes = {
  payer: 'apiKey',
  owner: 'apiKey',
  account: 'apiKey',
  manager: 'apiKey',
  operator: 'adminToken',
} as const

function describeRoute(route: RouteDefinition) {
  const { method, path, who, summary, query, body, bytes, once, errors = [] } = route
  const { status = 200 } = route
  const codes = [
    ...errors,
    ...(who === undefined ? [] : ['invalid_token' as const]),
    ...(who === 'operator' ? ['forbidden' as const] : []),
    'rate_limited' as const,
  ]
  return {
    operationId: `${method}_${path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')}`,
    tags: [gatewayTag],
    summary,
    ...(who === 'operator' && { description: `Needs the role ${roleOf(route)}.` }),
    security: who === undefined ? [] : [{ [schemes[who]]: [] }],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        description: parameters[name as string],
        schema: text,
      })),
      ...(query === undefined ? [] : queryParameters(query)),
      ...(once === undefined ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ],
    ...(body === undefined ? {} : { requestBody: { content: contentOf(route, body) } }),
    ...(bytes && { requestBody: { content: { 'application/octet-stream': { schema: {} } } } }),
    responses: {
      [status]: describeAnswer(route),
      ...Object.fromEntries(
        codes.map((code) => [errorTable[code].status, describeError(code, route)]),
      ),
    },
  }
}

/** The body, by the types that it may have. */
function contentOf({ form, parts }: RouteDefinition, body: object) {
  const schema = schemaOf(body)
  if (form) return { 'application/x-www-form-urlencoded': { schema } }
  return {
    ...(parts === 'only' ? {} : { 'application/json': { schema } }),
    ...(parts === undefined ? {} : { 'multipart/form-data': { schema } }),
  }
}

function describeAnswer({ type = 'application/json', answer = text, events }: RouteDefinition) {
  const stream = { schema: { ...text, description: events } }
  const content = { [type]: { schema: answer }, ...(events && { 'text/event-stream': stream }) }
  return { description: 'The answer.', content }
}

function describeError(code: ErrorCode, { textErrors }: RouteDefinition) {
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const hasChallenge = code === 'payment_required'
  const content = textErrors && !hasChallenge ? { 'text/plain': { schema: text } } : error
  return { description: errorTable[code].message, content }
}

function queryParameters(query: z.ZodObject) {
  const { properties = {}, required = [] } = schemaOf(query)
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: description ?? parameters[name],
    schema,
  }))
}

function schemaOf(schema: z.ZodType | object): {
  properties?: Record<string, { description?: string }>
  required?: string[]
} {
  if (!(schema instanceof z.ZodType)) return schema
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return json as object
}
