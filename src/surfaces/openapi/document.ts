// The OpenAPI 3.1 description of the catalog, with the price of each call and the ways to pay it.
import type { Action } from '#core/action.ts'
import {
  type Catalog,
  type CatalogEntry,
  exampleBodyOf,
  inputSchemaOf,
  outputSchemaOf,
  railsFor,
  statusOf,
} from '#core/catalog.ts'
import { type ErrorCode, errorTable } from '#core/errors.ts'
import { quotePrice } from '#core/price.ts'
import { describePrice, type RailTerms } from '#core/pricing/describe-price.ts'
import { errorsOf } from '#core/replies/action-errors.ts'
import { idempotencyKeyPattern } from '#runner/idempotency.ts'
import { hoistDefinitions } from './definitions.ts'
import { describeRoutes, gatewayTag } from './describe-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { publicRoutes } from './routes.ts'

export interface OpenApiDependencies {
  readonly catalog: Catalog
  readonly version: string
  readonly baseUrl: string
  readonly contact?: string | undefined
  /** The payment rails that are on. */
  readonly rails: readonly RailTerms[]
}

export function describeOpenApi(dependencies: OpenApiDependencies) {
  const { catalog, version, baseUrl, contact } = dependencies
  const entries = catalog.entries.filter(({ mode }) => mode !== 'unavailable')
  const definitions: Record<string, unknown> = {}
  const operations = entries.map((entry) => [
    `/api/run/${entry.id}`,
    { post: describeOperation(entry, dependencies, definitions) },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollway',
      version,
      description:
        'A paid action gateway. Every call is a POST of JSON to /api/run/{service}/{action}; failed calls are never charged.',
      'x-guidance':
        'Call any operation without a credential to receive a payment challenge, pay it, and repeat the same request. Prices are in x-payment-info. Errors are {ok:false, error, message} and cost nothing.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      ...(contact?.includes('@') ? { contact: { email: contact } } : {}),
    },
    servers: [{ url: baseUrl }],
    tags: describeTags(entries),
    'x-service-info': {
      categories: ['search', 'data', 'developer-tools'],
      docs: { homepage: baseUrl, apiReference: `${baseUrl}/openapi.json` },
    },
    paths: {
      ...describeRoutes(publicRoutes),
      ...Object.fromEntries(operations),
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of an account.' },
      },
      parameters: { IdempotencyKey: idempotencyKeyParameter, Quote: quoteParameter },
      schemas: { Error: errorSchema, Envelope: envelopeSchema, ...definitions },
    },
  }
}

/** The operator's routes, for the operator. */
export function describeOperatorApi({
  version,
  baseUrl,
}: Pick<OpenApiDependencies, 'version' | 'baseUrl'>) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollway for its operator',
      version,
      description: 'The routes of the operator. Errors are {ok:false, error, message}.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [{ name: gatewayTag, description: 'Accounts, money, prices and the machine.' }],
    paths: describeRoutes(operatorRoutes),
    components: {
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'ADMIN_TOKEN, which may do everything, or the token of a person who operates the gateway.',
        },
      },
      parameters: { IdempotencyKey: idempotencyKeyParameter },
      schemas: { Error: errorSchema },
    },
  }
}

/** One group of operations for the gateway's own addresses, and one for each provider. */
function describeTags(entries: readonly CatalogEntry[]) {
  const titles = new Map(
    entries.map(({ service }) => [service.provider.id, service.provider.title]),
  )
  return [
    { name: gatewayTag, description: 'Accounts, keys, transactions, sessions, files and models.' },
    ...[...titles].map(([name, description]) => ({ name, description })),
  ]
}

function describeOperation(
  entry: CatalogEntry,
  dependencies: OpenApiDependencies,
  definitions: Record<string, unknown>,
) {
  const { action, service, id } = entry
  const operationId = id.replaceAll(/[^A-Za-z0-9]+/g, '_')
  const input = hoistDefinitions(inputSchemaOf(action), `${operationId}.input`, definitions)
  const answer = hoistDefinitions(answerSchemaOf(action), `${operationId}.answer`, definitions)
  const rails = railsFor(action, dependencies.rails)
  const paid = rails.length > 0
  const notes = [action.notes ?? '', freeCallsIn(action)].filter((each) => each !== '').join(' ')
  return {
    operationId,
    tags: [service.provider.id],
    summary: action.summary,
    ...(notes === '' ? {} : { description: notes }),
    ...(action.retiring && { deprecated: true }),
    // A wallet that can pay needs no account.
    security: paid || action.open ? [] : [{ apiKey: [] }],
    ...(paid ? { 'x-payment-info': describePayment(entry, rails) } : {}),
    parameters: [
      { $ref: '#/components/parameters/IdempotencyKey' },
      { $ref: '#/components/parameters/Quote' },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: input, example: exampleBodyOf(action) },
      },
    },
    responses: {
      [statusOf(action)]: {
        description: describeAnswer(action),
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Envelope' }, { properties: { data: answer } }],
            },
          },
        },
      },
      ...describeFailures(action),
    },
  }
}

/** What `x-payment-info` cannot say of a price. */
const freeCallsIn = (action: Action) =>
  action.freeCallsPerDay === undefined ? '' : `Price: ${describePrice(action).text}.`

function describeAnswer({ mode, answersInline }: Action): string {
  if (mode === 'session') return 'The id of the session, which is open.'
  if (mode !== 'job') return 'The answer.'
  return answersInline === undefined
    ? 'The handle of the job.'
    : 'The answer, or the handle of the job if the work takes longer than a request.'
}

function answerSchemaOf(action: Action): object {
  if (action.mode !== 'job') return outputSchemaOf(action)
  return action.answersInline === undefined
    ? jobSchema
    : { anyOf: [outputSchemaOf(action), jobSchema] }
}

/** Writes both common conventions: `price` with `protocols`, and `offers` in units of the token. */
function describePayment({ action }: CatalogEntry, rails: readonly RailTerms[]) {
  const { text: _text, protocols: _protocols, ...price } = describePrice(action)
  const amount = price.mode === 'fixed' ? String(quotePrice(action.price, {}).micros) : null
  return {
    price,
    protocols: rails.map(({ id, inOpenApi }) => ({ [id]: inOpenApi })),
    offers: rails.map(({ offer: { method, intent, currency } }) => ({
      method,
      intent,
      amount,
      currency,
    })),
  }
}

/**
 * Each status with the codes that it may have. A free action asks callers without an account for a proof of their
 * wallet.
 */
function describeFailures(action: Action) {
  const proof: readonly ErrorCode[] = action.open ? [] : ['payment_required']
  const codes = [...new Set([...errorsOf(action), ...proof])]
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, meant]) => [
      status,
      {
        description: meant.map((code) => `${code}: ${errorTable[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value for this call, such as a UUID. A repeated call with the same key and body gets the stored answer and is not run or charged again.',
  schema: { type: 'string', pattern: idempotencyKeyPattern.source },
}

const quoteParameter = {
  name: 'quote',
  in: 'query',
  required: false,
  description: 'true: return the price of the call. Nothing is run or charged.',
  schema: { type: 'string', enum: ['true', 'false'] },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    ok: { const: false },
    error: { type: 'string', description: 'A stable code.', enum: Object.keys(errorTable) },
    message: { type: 'string', description: 'What went wrong and what to do next, in a sentence.' },
    docs: { type: 'string', description: 'The path of the page about the code.' },
    transaction_id: {
      type: 'string',
      description: 'The transaction of the failed call, if it has one.',
    },
    data: {},
  },
}

const envelopeSchema = {
  type: 'object',
  required: ['ok', 'data', 'charged_cents'],
  properties: {
    ok: { const: true },
    data: {},
    charged_cents: { type: 'integer', minimum: 0 },
    charged_usd: { type: 'string' },
    balance_remaining_cents: { type: 'integer' },
    balance_remaining_usd: { type: 'string' },
    transaction_id: { type: 'string' },
  },
}

const jobSchema = {
  type: 'object',
  required: ['job_id', 'status', 'async'],
  properties: {
    job_id: { type: 'string' },
    status: { const: 'queued' },
    async: { const: true },
    status_url: {
      type: 'string',
      description: 'Address at which a wallet polls its job, free of charge.',
    },
  },
}
