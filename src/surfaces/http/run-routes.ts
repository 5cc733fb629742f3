import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Catalog, type CatalogEntry, describeAction, describeCatalog } from '#core/catalog.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Runner } from '#runner/run.ts'
import { requireCaller, runRoute } from './server.ts'

interface RunRoute {
  Params: { service: string; action: string }
  Querystring: { quote?: string }
}

export function addRunRoutes(
  server: FastifyInstance,
  { catalog, runner }: { catalog: Catalog; runner: Runner },
) {
  // The catalog is fixed for the life of the process.
  const listing = JSON.stringify(describeCatalog(catalog))
  const descriptions = new Map<string, string>()

  server.get('/api/run', (_request, reply) => sendJson(reply, listing))

  server.get<RunRoute>(runRoute, async (request, reply) => {
    const { service, action } = request.params
    const entry = catalog.find(service, action) ?? runner.resolve(service, action)
    let description = descriptions.get(entry.id)
    if (description === undefined) {
      description = JSON.stringify(describeAction(entry))
      descriptions.set(entry.id, description)
    }
    addRetirementHeaders(reply, entry)
    return sendJson(reply, description)
  })

  server.post<RunRoute>(runRoute, async (request, reply) => {
    const entry = runner.resolve(request.params.service, request.params.action)
    addRetirementHeaders(reply, entry)
    const idempotencyKey = readIdempotencyKey(
      request.headers['idempotency-key'] as string | undefined,
    )
    const call = { entry, body: request.body === undefined ? {} : request.body, idempotencyKey }
    if (request.query.quote === 'true') {
      return sendJson(reply, await runner.quote({ ...call, caller: request.caller }))
    }
    const { body, replayed } = await runner.run({ ...call, caller: requireCaller(request) })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return sendJson(reply, body)
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
