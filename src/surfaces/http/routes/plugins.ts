// Routes of plugins, below /plugins/{id}. They are admitted and counted like all others, and ask for an account.
import type { FastifyInstance } from 'fastify'
import type { OfPlugin, PluginRequest, PluginRoute } from '#core/rooms/plugin-doors.ts'
import { requireCaller } from '../../doors/owner.ts'

export function addPluginRoutes(
  server: FastifyInstance,
  routes: readonly OfPlugin<PluginRoute>[],
): void {
  for (const { plugin, method, path, answer } of routes)
    server.route<{
      Params: PluginRequest['parameters']
      Querystring: PluginRequest['query']
    }>({
      method,
      url: `/plugins/${plugin}${path}`,
      async handler(request) {
        const { params: parameters, query, body } = request
        return await answer({ caller: requireCaller(request), parameters, query, body })
      },
    })
}
