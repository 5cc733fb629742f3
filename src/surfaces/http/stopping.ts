import type { FastifyInstance } from 'fastify'

const lookIntervalMs = 100

/**
 * Ends connections that become idle while the server stops. Node ends those that are idle when it begins to stop, and
 * would wait for a later one until its client lets go of it.
 */
export function endIdleWhileStopping(server: FastifyInstance): void {
  let looking: NodeJS.Timeout | undefined
  server.addHook('preClose', async () => {
    looking = setInterval(() => server.server.closeIdleConnections(), lookIntervalMs)
  })
  server.addHook('onClose', async () => clearInterval(looking))
}
