// A proxy in front of a gateway that fails as networks do. Each fault happens to one request, in the order in which
// they were set.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { portOf } from '#platform/http/port.ts'

type Fault =
  | 'pass'
  /** The gateway never has the request. */
  | 'lose request'
  /** The gateway carries the request out, and its answer breaks off in the middle. */
  | 'cut answer'
  /** The gateway has answered; this happens before its answer is lost. */
  | { readonly loseAnswer: () => Promise<unknown> }
  /** A proxy before the gateway answers. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

export interface BreakingProxy {
  readonly url: string
  /** The requests that arrived, the lost ones included. */
  readonly seen: {
    readonly method: string
    readonly path: string
    readonly key: string | undefined
  }[]
  next(...faults: Fault[]): void
}

/** `target` may change when the gateway starts again. */
export async function openBreakingProxy(
  target: string | (() => Promise<string>),
): Promise<BreakingProxy> {
  const address = async () => (typeof target === 'string' ? target : await target())
  const faults: Fault[] = []
  const seen: BreakingProxy['seen'] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, key: headers['idempotency-key']?.toString() })
    pass(address, request, response, faults.shift()).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    seen,
    next: (...added) => void faults.push(...added),
  }
}

/** Headers of the connection to the gateway, and of a body that `fetch` has decoded. */
const ofOneConnection = new Set([
  'transfer-encoding',
  'content-encoding',
  'connection',
  'keep-alive',
])

async function pass(
  address: () => Promise<string>,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  const { method = '', url: path = '', headers } = request
  const body = await buffer(request)
  if (fault === 'lose request') return void response.destroy()
  if (typeof fault === 'object' && 'status' in fault)
    return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '')
  const { connection: _, host: __, 'content-length': ___, ...passed } = headers
  const reply = await fetch((await address()) + path, {
    method,
    headers: passed as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (typeof fault === 'object') {
    await fault.loseAnswer()
    return void response.destroy()
  }
  response.writeHead(reply.status, {
    ...Object.fromEntries([...reply.headers].filter(([name]) => !ofOneConnection.has(name))),
    'content-length': bytes.length,
    connection: 'close',
  })
  if (fault !== 'cut answer') return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}
