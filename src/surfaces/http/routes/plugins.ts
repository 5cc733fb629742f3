// Routes of plugins, below /plugins/{id}. They are admitted and counted like all others, and ask for an account.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { BoundRoute, OfPlugin, PluginRequest } from '#core/rooms/plugin-doors.ts'
import { requireCaller } from '../../doors/owner.ts'

/** How long the routes of plugins may still work once the gateway stops. */
const lastAnswersMs = 2_000

export function addPluginRoutes(
  server: FastifyInstance,
  routes: readonly OfPlugin<BoundRoute>[],
): void {
  const { signal } = endWhenStopping(server)
  for (const { plugin, method, path, answer } of routes)
    server.route<{
      Params: PluginRequest['parameters']
      Querystring: PluginRequest['query']
    }>({
      method,
      url: `/plugins/${plugin}${path}`,
      async handler(request) {
        const { params: parameters, query, body } = request
        return await answer({ caller: requireCaller(request), parameters, query, body, signal })
      },
    })
}

function endWhenStopping(server: FastifyInstance): AbortController {
  const ending = new AbortController()
  const message =
    'The gateway stopped before the plugin had answered. It may have done what you asked for: look before you repeat it.'
  const end = () => ending.abort(fail('unavailable', { message }))
  server.addHook('preClose', async () => void setTimeout(end, lastAnswersMs).unref())
  return ending
}
