// Observes each request from its first byte to the end of its response.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observation, Telemetry } from '#core/telemetry/telemetry.ts'

/** The status in telemetry of a request whose caller left before the response ended, as proxies log it. */
const leftEarly = '499'

/** Routes are shown as they are defined, so that the address of a caller is never part of telemetry. */
export function observeRequests(server: FastifyInstance, telemetry: Telemetry): void {
  const observed = new WeakMap<FastifyRequest, Observation>()
  server.addHook('onRequest', (request, { raw: response }, done) => {
    const observation = telemetry.begin({
      kind: 'request',
      method: request.method,
      route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
      requestId: request.id,
      traceparent: request.headers.traceparent as string | undefined,
    })
    observed.set(request, observation)
    response.once('close', () =>
      observation.end(response.writableFinished ? String(response.statusCode) : leftEarly),
    )
    observation.run(done)
  })
  // A body arrives in events of its connection, outside the context of its request.
  server.addHook('preValidation', (request, _reply, done) => {
    observed.get(request)?.run(done)
  })
}
