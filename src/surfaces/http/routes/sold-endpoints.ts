// /sell/{name}/…: an endpoint that the operator sells as it is. Method, path and body go to it unchanged, and its
// answer comes back unchanged. It is the same call as POST /api/run/{name}/call, at the same price.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalog, CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import {
  type EndpointInput,
  type EndpointOutput,
  endpointAction,
  type endpointMethods,
  soldEndpointPath,
} from '#features/selling/endpoint.ts'
import { isClosedHeader } from '#features/selling/operations/write-request.ts'
import type { Runner } from '#runner/runner.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'
import { announcesBody } from '../body.ts'

interface Dependencies {
  catalog: Catalog
  runner: Runner
}

const bodyBytesMax = 10_000_000
/** Of an address that a challenge names. Clients read 16 KB of headers in all. */
const addressCharactersMax = 1_000

const soldRoute = <
  const Method extends Lowercase<(typeof endpointMethods)[number]>,
  const Path extends `/${string}`,
>(
  method: Method,
  path: Path,
) =>
  defineRoute({
    method,
    path,
    who: 'payer',
    summary:
      'Call an endpoint that the operator sells as it is. What follows its name is appended to the sold address. An answer other than 2xx is free.',
    once: true,
    bytes: true,
    type: '*/*',
    errors: ['bad_request', 'not_found', 'payment_required', 'upstream_error'],
  })

export const soldEndpointRoutes = (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap(
  (method) => [soldRoute(method, '/sell/{name}'), soldRoute(method, '/sell/{name}/{path}')],
)

export function addSoldEndpointRoutes(server: FastifyInstance, dependencies: Dependencies) {
  // A plugin of its own, because its bodies are bytes and not JSON.
  server.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        request.bodyText = bytes.toString('utf8')
        return bytes
      },
    )
    const call: Handler<(typeof soldEndpointRoutes)[number]> = ({ request, params }, reply) =>
      callEndpoint(door, dependencies, request, reply, params.name)
    for (const route of soldEndpointRoutes)
      addRoute(door, route, call, {
        bodyLimit: bodyBytesMax,
        ...(route.method === 'get' && { answersHead: true }),
      })
  })
}

async function callEndpoint(
  server: FastifyInstance,
  { catalog, runner }: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
) {
  const entry = entryOf(catalog, runner, name)
  // HEAD must be free: it tells the price to a stranger, and checks the caller.
  const isHead = request.method === 'HEAD'
  // The server reads no body of these methods, and a call without its body would be paid for and wrong.
  if ((isHead || request.method === 'GET') && announcesBody(request))
    throw fail('bad_request', {
      message: `A body of ${request.method} cannot be passed on. Send it by another method, or send a query.`,
    })
  const body = inputOf(request, name, server.paymentHeaders.crossOrigin.request)
  request.isPaid = !isHead && entry.action.price !== 'free'
  const outcome = await runner.handle({
    entry,
    body,
    bodyText: request.bodyText,
    caller: request.caller,
    payment: isHead ? undefined : server.paymentHeaders.read(request),
    requestHeader: (header) => request.headers[header]?.toString(),
    idempotencyKey: idempotencyKeyOf(request),
    path: request.url.length <= addressCharactersMax ? request.url : soldEndpointPath(name),
    wantsQuote: isHead && request.caller !== undefined,
    weigh: (points) => server.weigh(request, reply, points),
  })
  reply.headers({ ...outcome.headers, ...harmless })
  if (outcome.replayed) reply.header('idempotency-replayed', 'true')
  // Without a length: only the endpoint knows that of a GET.
  if (isHead) return reply.send()
  const { data, transaction_id: id, charged_usd: charged } = JSON.parse(outcome.body)
  const answer = data as EndpointOutput
  reply.headers({ 'x-charged-usd': charged, ...(id !== undefined && { 'x-transaction-id': id }) })
  for (const [header, value] of Object.entries(answer.headers))
    if (!reply.hasHeader(header)) reply.header(header, value)
  if (answer.content_type !== null) reply.type(answer.content_type)
  return reply.code(answer.status).send(Buffer.from(answer.base64 ?? '', 'base64'))
}

/** The answer is a stranger's: a browser must not run it as a page of this gateway. */
const harmless = {
  // It was paid for: a cache in between must not give it to others.
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}

function entryOf(catalog: Catalog, runner: Runner, name: string): CatalogEntry {
  if (catalog.find(name, endpointAction) !== undefined) {
    const entry = runner.resolve(name, endpointAction, undefined)
    if (entry.action.soldAs === 'endpoint') return entry
  }
  const isSold = catalog.services.some(({ provider }) => provider.id === name)
  throw fail('not_found', {
    message: isSold
      ? `${name.slice(0, 100)} is sold by its actions: POST /api/run/${name}/{action}. GET /api/run lists them.`
      : `No endpoint is sold as ${name.slice(0, 100)}.`,
  })
}

function inputOf(
  request: FastifyRequest,
  name: string,
  paymentHeaders: readonly string[],
): EndpointInput {
  const { method, url, headers } = request
  const body = request.body as Buffer | undefined
  const ofPayments = new Set(paymentHeaders.map((header) => header.toLowerCase()))
  const isPassed = (header: string) =>
    header === 'content-type' || !(isClosedHeader(header) || ofPayments.has(header))
  const passed = Object.entries(headers).flatMap(([header, value]) =>
    value === undefined || !isPassed(header) ? [] : [[header, [value].flat().join(', ')] as const],
  )
  return {
    method: (method === 'HEAD' ? 'GET' : method) as EndpointInput['method'],
    path: url.slice(soldEndpointPath(name).length),
    headers: Object.fromEntries(passed),
    ...(body !== undefined && body.length > 0 && { base64: body.toString('base64') }),
    answer: 'bytes',
  }
}
