// Makes every address answer every method: OPTIONS by itself, and 405 where it does not take the method.
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import type { Door } from '#core/access/open-access.ts'
import { fail } from '#core/errors.ts'

export const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
] as const

/** A route that was added, with the methods that it takes. */
export interface AddedRoute {
  readonly url: string
  readonly methods: readonly string[]
  readonly operator: boolean
  /** It checks a credential of its own, which is not an API key. */
  readonly credentialOfItsOwn: boolean
  /** What it opens where it admits by a signed address or a token. */
  readonly doors: readonly Door[]
}

/** Call this before adding routes. `finish` completes all of them. */
export function completeMethods(server: FastifyInstance): {
  finish: () => void
  routes: () => AddedRoute[]
} {
  const taken = new Map<string, { methods: Set<string>; doors: Set<Door>; route: RouteOptions }>()
  server.addHook('onRoute', (route) => {
    if (taken.has(route.url) && route.config?.completes) return
    const known = taken.get(route.url)
    const methods = new Set([...(known?.methods ?? []), ...[route.method].flat()])
    const doors = new Set([...(known?.doors ?? []), route.config?.door ?? []].flat())
    taken.set(route.url, { methods, doors, route })
  })
  const routes = () =>
    [...taken].flatMap(
      ([
        url,
        {
          methods,
          doors,
          route: { config = {} },
        },
      ]) =>
        config.completes
          ? []
          : [
              {
                url,
                methods: [...methods],
                doors: [...doors],
                operator: config.operator === true,
                credentialOfItsOwn: config.credentialOfItsOwn === true,
              },
            ],
    )
  // A plugin of its own, which is loaded after all earlier ones have added their routes.
  const finish = () =>
    server.register(async (last) => {
      // The copy is made here, after plugin hooks have completed the configuration of their routes.
      for (const [url, { methods: allowed, route }] of new Map(taken))
        complete(last, url, { allowed, config: route.config ?? {} })
    })
  return { finish, routes }
}

function complete(
  server: FastifyInstance,
  url: string,
  { allowed, config }: { allowed: ReadonlySet<string>; config: FastifyContextConfig },
) {
  const { errorBody, textErrors = false, operator, credentialOfItsOwn, everyHeader } = config
  // The error has the form of the other errors of this address.
  const common = {
    ...(errorBody && { errorBody }),
    ...(everyHeader && { everyHeader }),
    ...(operator && { operator }),
    ...(credentialOfItsOwn && { credentialOfItsOwn }),
    textErrors,
    completes: true,
  }
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  if (!allowed.has('OPTIONS')) {
    server.options(url, { config: common }, async (request, reply) => {
      reply.header('allow', allow)
      if (!operator)
        reply.headers(
          server.crossOrigin.preflight(allow, request.headers['access-control-request-headers']),
        )
      return reply.code(204).send()
    })
  }
  const others = methods.filter((method) => !allowed.has(method) && method !== 'OPTIONS')
  if (others.length === 0) return
  server.route({
    url,
    method: others,
    config: common,
    handler: async (_request, reply) => {
      reply.header('allow', allow)
      throw fail('method_not_allowed', { message: `This address takes ${allow}.` })
    },
  })
}
