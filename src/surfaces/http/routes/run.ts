import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '#core/action.ts'
import {
  type Catalog,
  type CatalogEntry,
  describeAction,
  describeCatalog,
  inputSchemaOf,
  statusOf,
} from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { RailTerms } from '#core/price.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Runner } from '#runner/run/run.ts'
import { bodyBytesMax, strangerBodyBytesMax as usualBodyBytesMax } from '../body.ts'
import { digestBody, readPayment } from '../payment.ts'
import { requireCaller, runRoute } from '../server.ts'
import { type StoredAnswer, sendStored, storeAnswer } from './stored-answer.ts'

/** What a request counts beside the usual, by what it costs the gateway without bringing anything in. */
const extraPoints = { quote: 1, challenge: 1, open: 9 } as const

interface RunRoute {
  Params: { service: string; action: string }
  Querystring: Readonly<Record<string, unknown>>
}

const quoteParameter = 'quote'

/**
 * Whether the caller wants a quote and no run. Throws `bad_request` on all that is neither `true` nor `false`, and on other
 * parameters: a misspelt `quote` must not run and charge the call.
 */
function readQuoteParameter(query: RunRoute['Querystring']): boolean {
  const stranger = Object.keys(query).find((name) => name !== quoteParameter)
  if (stranger !== undefined) {
    throw fail('bad_request', {
      message: `This address takes one query parameter, ?${quoteParameter}=true, and not "${stranger.slice(0, 50)}". Send the action's parameters in the body. Nothing was run.`,
    })
  }
  const { [quoteParameter]: value = 'false' } = query
  if (value === 'true') return true
  if (value === 'false') return false
  throw fail('bad_request', {
    message: `Send ?${quoteParameter}=true once for a quote, or ?${quoteParameter}=false or nothing to run the call. Nothing was run.`,
  })
}

export function addRunRoutes(
  server: FastifyInstance,
  room: {
    catalog: Catalog
    runner: Runner
    keyless: Keyless
    openApi: (rails: readonly RailTerms[]) => object
  },
) {
  const { catalog, runner, keyless, openApi } = room
  // The catalog is fixed for the life of the process, but for the rails that are on.
  const stored = new Map<string, StoredAnswer>()
  function describe(
    id: string,
    description: (rails: readonly RailTerms[]) => object,
  ): StoredAnswer {
    const rails = keyless.rails
    const name = `${id} ${rails.map((rail) => rail.id)}`
    const known = stored.get(name)
    if (known !== undefined) return known
    const answer = storeAnswer(description(rails))
    stored.set(name, answer)
    return answer
  }

  server.get('/api/run', (request, reply) =>
    sendStored(
      request,
      reply,
      describe('', (rails) => describeCatalog(catalog, rails)),
    ),
  )
  server.get('/openapi.json', (request, reply) =>
    sendStored(
      request,
      reply,
      describe('openapi', (rails) => openApi(rails)),
    ),
  )

  server.get<RunRoute>(runRoute, async (request, reply) => {
    const { service, action } = request.params
    const entry = catalog.find(service, action) ?? runner.resolve(service, action)
    addRetirementHeaders(reply, entry)
    return sendStored(
      request,
      reply,
      describe(entry.id, (rails) => describeAction(entry, rails)),
    )
  })

  /** Who is asked for documents can be asked what they cost without an account. */
  const strangerBodyBytesMax = (request: FastifyRequest) => {
    const { service, action } = request.params as RunRoute['Params']
    const entry = catalog.find(service, action)
    return entry !== undefined && takesLongText(entry.action) ? bodyBytesMax : usualBodyBytesMax
  }

  server.post<RunRoute>(runRoute, { config: { strangerBodyBytesMax } }, async (request, reply) => {
    const wantsQuote = readQuoteParameter(request.query)
    const entry = runner.resolve(request.params.service, request.params.action)
    addRetirementHeaders(reply, entry)
    const idempotencyKey = readIdempotencyKey(
      request.headers['idempotency-key'] as string | undefined,
    )
    const call = { entry, body: request.body === undefined ? {} : request.body, idempotencyKey }
    const status = statusOf(entry.action)
    if (wantsQuote) {
      await server.weigh(request, reply, extraPoints.quote)
      return sendJson(reply, await runner.quote({ ...call, caller: request.caller }))
    }
    const payment = readPayment(request)
    const isKnown = request.caller !== undefined || payment !== undefined
    if (entry.action.open && !isKnown) {
      await server.weigh(request, reply, extraPoints.open)
      return sendJson(reply, (await runner.runOpen(call)).body)
    }
    if (payment === undefined && (request.caller !== undefined || keyless.rails.length === 0)) {
      const { body, replayed } = await runner.run({ ...call, caller: requireCaller(request) })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return sendJson(reply.code(status), body)
    }
    if (payment === undefined) await server.weigh(request, reply, extraPoints.challenge)
    const bodyDigest = digestBody(request.bodyText)
    const acceptPayment = request.headers['accept-payment'] as string | undefined
    const paid = await keyless.run({
      ...call,
      bodyDigest,
      payment,
      acceptPayment,
      empty: request.bodyText === '',
    })
    const { body, headers, replayed } = paid
    if (replayed) reply.header('idempotency-replayed', 'true')
    return sendJson(reply.code(status).headers(headers), body)
  })
}

const longTexts = new WeakMap<Action, boolean>()

/** Whether one text of the input may be longer than all that a stranger sends to other actions. */
function takesLongText(action: Action): boolean {
  const known = longTexts.get(action)
  if (known !== undefined) return known
  const lengths = JSON.stringify(inputSchemaOf(action)).matchAll(/"maxLength":(\d+)/g)
  const takes = [...lengths].some(([, length]) => Number(length) > usualBodyBytesMax)
  longTexts.set(action, takes)
  return takes
}

function sendJson(reply: FastifyReply, json: string) {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** Source: spec, "Versioning". */
function addRetirementHeaders(reply: FastifyReply, { action }: CatalogEntry) {
  if (action.retiring === undefined) return
  reply.header('deprecation', 'true')
  reply.header('sunset', new Date(action.retiring.sunset).toUTCString())
  reply.header('link', `</api/run/${action.retiring.successor}>; rel="successor-version"`)
}
