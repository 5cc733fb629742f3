// Requests to other gateways. Each is signed, and no answer is believed before its gateway has shown that it knows the
// secret, too.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Clock } from '#core/ports.ts'
import type { Neighbour } from './gateway-rows.ts'
import { proofHeader, type SignedRequest, signatureHeader, signRequest } from './signature.ts'

interface OutgoingRequest extends SignedRequest {
  readonly headers?: OutgoingHttpHeaders
  readonly signal: AbortSignal
  /** Sends the body, if that is a stream. */
  readonly send?: (request: ClientRequest) => void
}

export interface NeighbourCalls {
  /** Resolves to an answer that is proven. */
  call(neighbour: Neighbour, request: OutgoingRequest): Promise<IncomingMessage>
  /** A request that becomes a connection. Its answer is still to be read from the socket. */
  connect(neighbour: Neighbour, request: OutgoingRequest): Promise<Socket>
  close(): void
}

export const greetingPath = '/hello'
const greetedForMs = 60_000
const greetedMax = 100
const greetTimeoutMs = 5_000
const connectionsMax = 256

export function createCalling({
  secret,
  gatewayNumber,
  clock,
}: {
  readonly secret: string
  readonly gatewayNumber: number
  readonly clock: Clock
}): NeighbourCalls {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: connectionsMax }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: connectionsMax }),
  }
  const greeted = new Map<string, number>()

  function open({ number, address }: Neighbour, request: OutgoingRequest, ownConnection: boolean) {
    const { method, path, body, headers, signal } = request
    const { protocol, hostname, port } = new URL(address)
    const isSecure = protocol === 'https:'
    const to = { from: gatewayNumber, to: number, nowMs: clock.now() }
    const { header, isProof } = signRequest(secret, to, request)
    const client = (isSecure ? httpsRequest : httpRequest)({
      method,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || undefined,
      path,
      signal,
      agent: ownConnection ? false : agents[isSecure ? 'https:' : 'http:'],
      headers: { ...headers, [signatureHeader]: header },
    })
    // A command prints its output as it comes.
    client.setNoDelay(true)
    return { client, isProof, send: () => (request.send ? request.send(client) : client.end(body)) }
  }

  async function call(neighbour: Neighbour, request: OutgoingRequest): Promise<IncomingMessage> {
    const { client, isProof, send } = open(neighbour, request, false)
    const answered = Promise.withResolvers<IncomingMessage>()
    client.on('error', answered.reject).once('response', answered.resolve)
    send()
    const answer = await answered.promise
    if (isProof(answer.headers[proofHeader])) return answer
    answer.destroy()
    throw new Error(`What answers at ${neighbour.address} is not gateway ${neighbour.number}.`)
  }

  /** What callers have sent is not shown to an address that has not proven itself. */
  async function greet(neighbour: Neighbour): Promise<void> {
    const name = `${neighbour.number} ${neighbour.address}`
    if ((greeted.get(name) ?? 0) > clock.now()) return
    const signal = AbortSignal.timeout(greetTimeoutMs)
    const request = { method: 'GET', path: greetingPath, body: '', signal }
    const answer = await call(neighbour, request)
    answer.resume()
    if (greeted.size >= greetedMax) greeted.clear()
    greeted.set(name, clock.now() + greetedForMs)
  }

  return {
    async call(neighbour, request) {
      await greet(neighbour)
      return await call(neighbour, request)
    },
    async connect(neighbour, request) {
      await greet(neighbour)
      const { client } = open(neighbour, request, true)
      const connected = Promise.withResolvers<Socket>()
      client.on('error', connected.reject)
      client.once('upgrade', (answer, socket, head) => {
        socket.unshift(Buffer.concat([headOf(answer), head]))
        connected.resolve(socket)
      })
      client.once('response', (answer) => connected.reject(new RefusedError(answer)))
      client.end()
      return await connected.promise
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The other gateway has answered, and the request became no connection. */
export class RefusedError extends Error {
  readonly answer: IncomingMessage

  constructor(answer: IncomingMessage) {
    super(`The other gateway answered ${answer.statusCode}.`)
    this.answer = answer
  }
}

/** The head of an answer, as it came. */
function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
