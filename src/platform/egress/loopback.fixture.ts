import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { portOf } from '../http/port.ts'

export interface LoopbackServer {
  readonly port: number
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  /** `127.0.0.1:<port>`, as in EGRESS_ALLOW. */
  readonly host: string
  /** Every request and every upgrade that reached it, as `GET /path`. */
  readonly hits: string[]
  close(): Promise<void>
}

/** A real HTTP server on loopback that records its requests. On `::` it listens on every address of this machine. */
export async function serve(
  listener: RequestListener,
  listenOn: '127.0.0.1' | '::' = '127.0.0.1',
): Promise<LoopbackServer> {
  const hits: string[] = []
  const note = (incoming: IncomingMessage) => hits.push(`${incoming.method} ${incoming.url}`)
  const server: Server = createServer((incoming, response) => {
    note(incoming)
    listener(incoming, response)
  })
  server.on('upgrade', (incoming, socket) => {
    note(incoming)
    socket.destroy()
  })
  server.on('clientError', (_error, socket) => {
    hits.push('something that is not HTTP')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve))
  const port = portOf(server)
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    hits,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
