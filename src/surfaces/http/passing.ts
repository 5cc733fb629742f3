// Requests for what another gateway has: sent there, and received from there.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GatewayPlace, placeOf } from '#core/gateways/elsewhere.ts'
import { isBrowserUpgrade } from './browser-upgrade.ts'

export interface PassingDoor {
  /** Whether another gateway has passed this request on. */
  readonly isPassedOn: (request: IncomingMessage) => boolean
  readonly pass: (
    place: GatewayPlace,
    request: IncomingMessage,
    body: Readable,
    take: () => ServerResponse,
  ) => Promise<void>
}

/**
 * Sends a request that has failed because another gateway has what it is for there. Resolves to the failure, unless
 * that gateway has answered. A plugin may throw anything, also undefined.
 */
export async function passOn(
  { isPassedOn, pass }: PassingDoor,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly failure: unknown } | 'answered'> {
  const place = request.routeOptions.config.passesOn ? placeOf(thrown) : undefined
  if (place === undefined || isPassedOn(request.raw)) return { failure: thrown }
  const body = request.body instanceof Readable ? request.body : request.raw
  try {
    await pass(place, request.raw, body, () => {
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      return reply.raw
    })
    return 'answered'
  } catch (failure) {
    return { failure }
  }
}

/** Answers the requests that other gateways pass on. */
export const callersDoor = (server: FastifyInstance) => ({
  enter: (request: IncomingMessage, response: ServerResponse) => server.routing(request, response),
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer) {
    if (isBrowserUpgrade(request)) server.server.emit('upgrade', request, socket, head)
    else socket.destroy()
  },
})
