// Passes the request of a caller on to the gateway that has what it is for. One that was passed on is not passed on
// again.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fail } from '#core/errors.ts'
import { elsewhere, type GatewayPlace } from '#core/gateways/elsewhere.ts'
import { type NeighbourCalls, RefusedError } from './calling.ts'
import type { GatewayRows } from './gateway-rows.ts'
import { proofHeader, signatureHeader } from './signature.ts'

interface Passing {
  /** Answers a request whose body was not read. Throws `session_elsewhere`, `unavailable` before it has answered. */
  pass(
    place: GatewayPlace,
    request: IncomingMessage,
    body: Readable,
    /** Called when the other gateway answers: from then on the response is its own. */
    take: () => ServerResponse,
  ): Promise<void>
  /** Opens the connection that a request asks for. Throws as `pass` does, and what the other gateway answers. */
  connect(place: GatewayPlace, request: IncomingMessage): Promise<Socket>
}

/** They belong to one connection. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  signatureHeader,
  proofHeader,
])

const withoutHop = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))

export function createPassing({
  rows,
  calling,
  isPassedOn,
}: {
  readonly rows: Pick<GatewayRows, 'find'>
  readonly calling: NeighbourCalls
  readonly isPassedOn: (request: IncomingMessage) => boolean
}): Passing {
  async function find(place: GatewayPlace, request: IncomingMessage) {
    const neighbour = isPassedOn(request) ? undefined : await rows.find(place)
    if (neighbour === undefined) throw elsewhere(place)
    return neighbour
  }

  return {
    async pass(place, request, body, take) {
      const neighbour = await find(place, request)
      const leaving = new AbortController()
      const leave = () => leaving.abort(new Error('The client has gone.'))
      request.socket.once('close', leave)
      const { method = '', url: path = '' } = request
      const answer = await calling
        .call(neighbour, {
          method,
          path,
          body: undefined,
          headers: withoutHop(request.headers),
          signal: leaving.signal,
          send: (outgoing) => void body.pipe(outgoing),
        })
        .catch((cause) => {
          throw fail('unavailable', { cause })
        })
      const response = take()
      for (const [name, value] of Object.entries(withoutHop(answer.headers)))
        if (value !== undefined) response.setHeader(name, value)
      response.writeHead(answer.statusCode ?? 500)
      await pipeline(answer, response).catch(() => response.destroy())
      request.socket.off('close', leave)
    },
    async connect(place, request) {
      const neighbour = await find(place, request)
      const { method = '', url: path = '', headers } = request
      const { upgrade, ...passed } = { ...withoutHop(headers), upgrade: headers.upgrade }
      return await calling
        .connect(neighbour, {
          method,
          path,
          body: undefined,
          headers: { ...passed, connection: 'Upgrade', upgrade },
          signal: AbortSignal.timeout(connectTimeoutMs),
        })
        .catch(async (cause) => {
          if (!(cause instanceof RefusedError)) throw fail('unavailable', { cause })
          const { error, message } = (await json(cause.answer)) as Record<
            'error' | 'message',
            never
          >
          throw fail(error, { message, status: cause.answer.statusCode })
        })
    },
  }
}

const connectTimeoutMs = 30_000
