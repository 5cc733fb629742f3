// /api/run: lists, describes and runs actions.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Action } from '#core/action.ts'
import {
  type Catalog,
  type CatalogEntry,
  catalogFor,
  describeAction,
  describeCatalog,
  entryFor,
  inputSchemaOf,
  statusOf,
} from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Runner } from '#runner/runner.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute, type PathParameters } from '../../doors/route.ts'
import { anyObject } from '../../doors/shapes.ts'
import { type StoredAnswer, sendStored, storeAnswer } from '../../doors/stored-answer.ts'
import { bodyBytesMax, strangerBodyBytesMax as usualBodyBytesMax } from '../body.ts'
import { showsPrices } from '../server.ts'
import { describedAction, listedCatalog } from './catalog-answers.ts'

type Query = Readonly<Record<string, unknown>>

interface Dependencies {
  catalog: Catalog
  runner: Runner
  keyless: Pick<Keyless, 'rails'>
  openApi: (rails: readonly RailTerms[]) => object
}

export const describeAll = defineRoute({
  method: 'get',
  path: '/openapi.json',
  summary: 'This document.',
  answer: anyObject,
})
export const listActions = defineRoute({
  method: 'get',
  path: '/api/run',
  summary: 'List the actions with their prices.',
  answer: listedCatalog,
})
export const readAction = defineRoute({
  method: 'get',
  path: '/api/run/{service}/{action}',
  summary: 'Describe one action.',
  answer: describedAction,
  errors: ['not_found'],
})
export const runAction = defineRoute({
  method: 'post',
  path: '/api/run/{service}/{action}',
  who: 'payer',
  summary: 'Run an action. Each action also has its own path in this document.',
  body: anyObject,
  once: true,
  answer: { $ref: '#/components/schemas/Envelope' },
  errors: ['bad_request', 'not_found', 'payment_required', 'upstream_error'],
})

export function addRunRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { catalog, runner } = dependencies
  addDescriptionRoutes(server, dependencies)

  /** Actions that take documents also quote documents to requests without an account. */
  const strangerBodyBytesMax = (request: FastifyRequest) => {
    const { service, action } = request.params as PathParameters<typeof runAction.path>
    const entry = catalog.find(service, action)
    return entry !== undefined && takesLongText(entry.action) ? bodyBytesMax : usualBodyBytesMax
  }

  const run: Handler<typeof runAction> = async ({ request, params }, reply) => {
    const wantsQuote = readQuoteParameter(request.query as Query)
    const entry = runner.resolve(params.service, params.action, request.caller)
    request.isPaid = !wantsQuote && entry.action.price !== 'free'
    const { way, body, headers, replayed } = await runner.handle({
      entry,
      body: request.body === undefined ? {} : request.body,
      bodyText: request.bodyText,
      caller: request.caller,
      payment: wantsQuote ? undefined : server.paymentHeaders.read(request),
      requestHeader: (name) => request.headers[name]?.toString(),
      idempotencyKey: idempotencyKeyOf(request),
      wantsQuote,
      weigh: (points) => server.weigh(request, reply, points),
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    const status = way === 'account' || way === 'wallet' ? statusOf(entry.action) : 200
    return reply
      .code(status)
      .headers(headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  }
  const everyHeader = createRetirementHeaders(catalog)
  addRoute(server, runAction, run, { config: { strangerBodyBytesMax, everyHeader } })
}

function addDescriptionRoutes(
  server: FastifyInstance,
  { catalog, runner, keyless, openApi }: Dependencies,
) {
  // Prices and the open payment rails change while the process lives, and nothing else does.
  const stored = new Map<string, StoredAnswer>()
  let { entries } = catalog
  function describe(
    id: string,
    description: (rails: readonly RailTerms[]) => object,
  ): StoredAnswer {
    const { rails } = keyless
    if (entries !== catalog.entries) {
      entries = catalog.entries
      stored.clear()
    }
    const name = `${id} ${rails.map((rail) => rail.id)}`
    const known = stored.get(name)
    if (known !== undefined) return known
    const answer = storeAnswer(description(rails))
    stored.set(name, answer)
    return answer
  }

  const list: Handler<typeof listActions> = ({ request }, reply) => {
    const seen = catalogFor(catalog, request.caller)
    const own = request.caller ? seen.unlisted.of(request.caller.accountId) : []
    if (own.length > 0 || seen !== catalog) {
      reply.header('cache-control', ofOneAccount)
      return describeCatalog(withOwn(seen, own), keyless.rails)
    }
    const answer = describe('', (rails) => describeCatalog(catalog, rails))
    return sendStored(request, reply, answer)
  }
  addRoute(server, listActions, list, showsPrices)
  const describeAllRoutes: Handler<typeof describeAll> = ({ request }, reply) =>
    sendStored(request, reply, describe('openapi', openApi))
  addRoute(server, describeAll, describeAllRoutes, showsPrices)
  const read: Handler<typeof readAction> = ({ request, params: { service, action } }, reply) => {
    const seen = catalogFor(catalog, request.caller)
    const listed = seen.find(service, action)
    const entry =
      listed ?? entryFor(catalog, runner.resolve(service, action, request.caller), request.caller)
    if (listed === undefined || seen !== catalog) {
      reply.header('cache-control', ofOneAccount)
      return describeAction(entry, keyless.rails)
    }
    const description = describe(entry.id, (rails) => describeAction(entry, rails))
    return sendStored(request, reply, description)
  }
  const everyHeader = createRetirementHeaders(catalog)
  addRoute(server, readAction, read, { config: { ...showsPrices.config, everyHeader } })
}

const ofOneAccount = 'private, no-store'

/** The catalog as one account sees it. */
const withOwn = (catalog: Catalog, own: readonly CatalogEntry[]) => ({
  services: [...catalog.services, ...new Set(own.map(({ service }) => service))],
  entries: [...catalog.entries, ...own],
})

const quoteParameter = 'quote'

/**
 * Whether the request asks for a quote. Throws `bad_request` for any other value and any other parameter: a misspelt
 * `quote` must not run and charge the call.
 */
function readQuoteParameter(query: Query): boolean {
  const unknown = Object.keys(query).find((name) => name !== quoteParameter)
  if (unknown !== undefined) {
    throw fail('bad_request', {
      message: `This address takes one query parameter, ?${quoteParameter}=true, and not "${unknown.slice(0, 50)}". Send the action's parameters in the body. Nothing was run.`,
    })
  }
  const { [quoteParameter]: value = 'false' } = query
  if (value === 'true') return true
  if (value === 'false') return false
  throw fail('bad_request', {
    message: `Send ?${quoteParameter}=true once for a quote. Send ?${quoteParameter}=false or no parameter to run the call. Nothing was run.`,
  })
}

const longTexts = new WeakMap<Action, boolean>()

/** Whether one text of the input may be longer than a whole body without an account usually may. */
function takesLongText(action: Action): boolean {
  const known = longTexts.get(action)
  if (known !== undefined) return known
  const lengths = JSON.stringify(inputSchemaOf(action)).matchAll(/"maxLength":(\d+)/g)
  const takes = [...lengths].some(([, length]) => Number(length) > usualBodyBytesMax)
  longTexts.set(action, takes)
  return takes
}

/** Source: spec, "Versioning". */
const createRetirementHeaders = (catalog: Catalog) => (request: FastifyRequest) => {
  const { service, action } = request.params as PathParameters<typeof runAction.path>
  const { retiring } = catalog.find(service, action)?.action ?? {}
  if (retiring === undefined) return {}
  return {
    deprecation: 'true',
    sunset: new Date(retiring.sunset).toUTCString(),
    link: `</api/run/${retiring.successor}>; rel="successor-version"`,
  }
}
