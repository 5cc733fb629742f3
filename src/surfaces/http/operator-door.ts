// A second listener, which alone answers the operator's routes. It answers all others too, so that the operator's console works there.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
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
      const door = createServer(
        { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs },
        (request, response) => {
          arrived.add(request)
          server.routing(request, response)
        },
      )
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
    close: () => close(),
  }
}
