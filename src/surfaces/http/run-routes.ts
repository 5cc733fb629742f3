import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  type Catalog,
  type CatalogEntry,
  describeAction,
  describeCatalog,
  statusOf,
} from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Keyless } from '#runner/keyless.ts'
import type { Runner } from '#runner/run.ts'
import { digestBody, readPayment } from './payment.ts'
import { requireCaller, runRoute } from './server.ts'

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
    openApi: (rails: readonly string[]) => object
  },
) {
  const { catalog, runner, keyless, openApi } = room
  // The catalog is fixed for the life of the process, but for the rails that are on.
  const written = new Map<string, string>()
  function describe(id: string, description: (rails: readonly string[]) => object): string {
    const rails = keyless.rails
    const name = `${id} ${rails}`
    const known = written.get(name)
    if (known !== undefined) return known
    const json = JSON.stringify(description(rails))
    written.set(name, json)
    return json
  }

  server.get('/api/run', (_request, reply) =>
    sendJson(
      reply,
      describe('', (rails) => describeCatalog(catalog, rails)),
    ),
  )
  server.get('/openapi.json', (_request, reply) =>
    sendJson(
      reply,
      describe('openapi', (rails) => openApi(rails)),
    ),
  )

  server.get<RunRoute>(runRoute, async (request, reply) => {
    const { service, action } = request.params
    const entry = catalog.find(service, action) ?? runner.resolve(service, action)
    addRetirementHeaders(reply, entry)
    return sendJson(
      reply,
      describe(entry.id, (rails) => describeAction(entry, rails)),
    )
  })

  server.post<RunRoute>(runRoute, async (request, reply) => {
    const wantsQuote = readQuoteParameter(request.query)
    const entry = runner.resolve(request.params.service, request.params.action)
    addRetirementHeaders(reply, entry)
    const idempotencyKey = readIdempotencyKey(
      request.headers['idempotency-key'] as string | undefined,
    )
    const call = { entry, body: request.body === undefined ? {} : request.body, idempotencyKey }
    const status = statusOf(entry.action)
    if (wantsQuote) {
      return sendJson(reply, await runner.quote({ ...call, caller: request.caller }))
    }
    const payment = readPayment(request)
    const isKnown = request.caller !== undefined || payment !== undefined
    if (entry.action.open && !isKnown) return sendJson(reply, (await runner.runOpen(call)).body)
    if (payment === undefined && (request.caller !== undefined || keyless.rails.length === 0)) {
      const { body, replayed } = await runner.run({ ...call, caller: requireCaller(request) })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return sendJson(reply.code(status), body)
    }
    const bodyDigest = digestBody(request.bodyText)
    const acceptPayment = request.headers['accept-payment'] as string | undefined
    const paid = await keyless.run({ ...call, bodyDigest, payment, acceptPayment })
    const { body, headers, replayed } = paid
    if (replayed) reply.header('idempotency-replayed', 'true')
    return sendJson(reply.code(status).headers(headers), body)
  })
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
