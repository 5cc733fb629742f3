// A second listener, which alone answers the operator's routes. It answers all others too, so that the operator's
// console works there.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

const headersTimeoutMs = 10_000
const requestTimeoutMs = 600_000

export interface OperatorDoor {
  /** Whether a request may reach the operator's routes: without a second listener, every one. */
  mayOperate(request: IncomingMessage): boolean
  /** Does nothing without a second listener. Call it when `server` is ready. */
  listen(server: FastifyInstance): Promise<void>
  /** Where it listens. Undefined without a second listener. */
  url(): string | undefined
  /** The same, for a request that has come by it. Undefined for any other. */
  urlOf(request: IncomingMessage): string | undefined
  close(): Promise<void>
}

export function createOperatorDoor({
  port,
  host,
}: {
  readonly port: number | undefined
  readonly host: string
}): OperatorDoor {
  const arrived = new WeakSet<IncomingMessage>()
  let url: string | undefined
  let close = async () => {}
  return {
    mayOperate: (request) => port === undefined || arrived.has(request),
    async listen(server) {
      if (port === undefined) return
      const limits = { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs }
      const enter = (request: IncomingMessage, response: ServerResponse) => {
        arrived.add(request)
        server.routing(request, response)
      }
      const door = createServer(limits, enter)
      // As the other listener, which explains it.
      door.on('checkExpectation', enter)
      door.listen(port, host)
      await once(door, 'listening')
      close = async () => {
        const closed = once(door, 'close')
        door.close()
        door.closeAllConnections()
        await closed
      }
      const { address, family, port: found } = door.address() as AddressInfo
      url = `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`
    },
    url: () => url,
    urlOf: (request) => (arrived.has(request) ? url : undefined),
    close: () => close(),
  }
}
