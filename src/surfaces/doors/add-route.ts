// Serves a defined route: who may ask and what may be sent are checked before its handler runs.
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
} from 'fastify'
import { z } from '#core/action.ts'
import type { AccountCaller, Caller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { readInput } from './input.ts'
import { type Manager, requireCaller, requireManager } from './owner.ts'
import { type PathParameters, type RouteDefinition, roleOf } from './route.ts'

type Checked<Defined extends RouteDefinition, Part extends 'query' | 'body'> = Defined extends {
  checksInput: true
}
  ? unknown
  : Defined[Part] extends z.ZodType
    ? z.output<Defined[Part]>
    : unknown
type CallerOf<Who> = Who extends 'account'
  ? AccountCaller
  : Who extends 'owner'
    ? Caller
    : Who extends 'manager'
      ? Manager
      : undefined

export interface RouteRequest<Defined extends RouteDefinition> {
  readonly request: FastifyRequest
  readonly caller: CallerOf<Defined['who']>
  readonly params: PathParameters<Defined['path']>
  readonly query: Checked<Defined, 'query'>
  readonly body: Checked<Defined, 'body'>
}

export type Handler<Defined extends RouteDefinition> = (
  asked: RouteRequest<Defined>,
  reply: FastifyReply,
) => unknown

interface Options<Defined extends RouteDefinition> extends Pick<RouteOptions, 'bodyLimit'> {
  /** Throws for parameters that name nothing, before query and body are read. */
  readonly admit?: (params: PathParameters<Defined['path']>) => void
  readonly config?: FastifyContextConfig
  /** The handler also answers HEAD, instead of a GET without its body. */
  readonly answersHead?: true
}

/** Decorates the part of the server that admits the operator alone, so that no route of theirs is served elsewhere. */
export const operatorsOnly = 'operatorsOnly'

export function addRoute<const Defined extends RouteDefinition>(
  server: FastifyInstance,
  route: Defined,
  handler: Handler<Defined>,
  { config, answersHead, admit, ...options }: Options<Defined> = {},
): void {
  const { method, path, who, textErrors, status = 200 } = route
  if ((who === 'operator') !== server.hasDecorator(operatorsOnly))
    throw new Error(`${method} ${path} is for ${who ?? 'everyone'}, and is served elsewhere.`)
  server.route({
    ...options,
    method: answersHead ? ['GET', 'HEAD'] : (method.toUpperCase() as HTTPMethods),
    url: addressOf(path),
    config: {
      ...config,
      ...(textErrors && { textErrors }),
      ...(who === 'operator' && { role: roleOf(route) }),
    },
    handler: async (request, reply) => {
      const asked = await read(server, route, request, admit as Admit | undefined)
      if (isSuccess(status)) reply.code(status)
      return await handler(asked as RouteRequest<Defined>, reply)
    },
  })
}

/** Redirections and upgrades are made by the handlers. */
const isSuccess = (status: number) => status >= 200 && status < 300

/** `/api/v1/keys/{id}` as the router writes it. */
const addressOf = (path: string) => path.replace(/\{path\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')

type Admit = (params: Readonly<Record<string, string>>) => void

async function read(
  server: FastifyInstance,
  route: RouteDefinition,
  request: FastifyRequest,
  admit: Admit | undefined,
) {
  const caller = await identify(server, route, request)
  const { checksInput, ids = {}, query, body } = route
  const params = request.params as Record<string, string>
  for (const [name, message] of Object.entries(ids))
    if (!isUuid(params[name] ?? '')) throw fail('not_found', { message })
  admit?.(params)
  return {
    request,
    caller,
    params: '*' in params ? { ...params, path: params['*'] } : params,
    query: checksInput || query === undefined ? request.query : readInput(query, request.query),
    body: !checksInput && body instanceof z.ZodType ? readInput(body, request.body) : request.body,
  }
}

/** The operator's routes are admitted all together, before their bodies are read. */
async function identify(
  server: FastifyInstance,
  { who }: RouteDefinition,
  request: FastifyRequest,
) {
  if (who === 'owner') return await server.requireOwner(request)
  if (who === 'account') return requireCaller(request)
  return who === 'manager' ? requireManager(requireCaller(request)) : undefined
}
