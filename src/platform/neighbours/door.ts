// The listener for other gateways: greetings, errands, and requests of callers that they pass on.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { readBytes } from '../http/body.ts'
import { portOf } from '../http/port.ts'
import { greetingPath } from './calling.ts'
import type { createErrands } from './errands.ts'
import { type createRequestCheck, proofHeader, signatureHeader } from './signature.ts'

/** What answers the requests of callers. */
export interface CallersDoor {
  enter(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
}

/** An errand holds the input of one action. It is read before it is known who has sent it. */
const errandBytesMax = 12_000_000
const headersTimeoutMs = 10_000
const requestTimeoutMs = 600_000

export function createNeighbourDoor({
  check,
  errands,
}: {
  readonly check: ReturnType<typeof createRequestCheck>
  readonly errands: Pick<ReturnType<typeof createErrands>, 'isErrand' | 'answer'>
}) {
  const arrived = new WeakSet<IncomingMessage>()
  let callers: CallersDoor | undefined
  let listening: Server | undefined
  /** Also those that have become something else, which the server does not close. */
  const connections = new Set<Socket>()

  const admit = ({ headers, method = '', url: path = '' }: IncomingMessage, body?: string) =>
    check(headers[signatureHeader], { method, path, body })

  async function enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request
    const isErrand = errands.isErrand(url)
    const isOwn = isErrand || url === greetingPath
    const read = isOwn ? await readBytes(request, undefined, errandBytesMax) : undefined
    if (read?.truncated) return void response.writeHead(413).end()
    const body = read?.bytes.toString('utf8')
    const proof = admit(request, body)
    if (proof === undefined) return void response.writeHead(403).end()
    response.setHeader(proofHeader, proof)
    if (isErrand) return await errands.answer(url, body ?? '', response)
    if (isOwn) return void response.writeHead(204).end()
    arrived.add(request)
    if (callers === undefined) return void response.writeHead(503).end()
    callers.enter(request, response)
  }

  return {
    /** Whether another gateway has passed this request on. */
    isPassedOn: (request: IncomingMessage) => arrived.has(request),
    /** Requests of callers are answered from now on. */
    serve(door: CallersDoor) {
      callers = door
    },
    /** Resolves to the port. */
    async listen(port: number, host: string): Promise<number> {
      const limits = { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs }
      const server = createServer(limits, (request, response) => {
        enter(request, response).catch(() => response.destroy())
      })
      server.on('connection', (socket: Socket) => {
        connections.add(socket)
        socket.once('close', () => connections.delete(socket))
      })
      server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        socket.on('error', () => socket.destroy())
        if (callers === undefined || admit(request) === undefined) return void socket.destroy()
        arrived.add(request)
        callers.upgrade(request, socket, head)
      })
      server.listen(port, host)
      await once(server, 'listening')
      listening = server
      return portOf(server)
    },
    async close(): Promise<void> {
      if (listening === undefined) return
      const closed = once(listening, 'close')
      listening.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}
