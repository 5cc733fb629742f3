// The server of a stub vendor. It answers as the vendor's documentation says, refuses what the documentation does not
// name, and fails in the ways that a test asks for.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { portOf } from '#platform/http/port.ts'
import { createLocalMachines, type LocalMachines } from './local-machine.ts'

export interface StubRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Buffer
}

export type StubReply =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      /** An object is sent as JSON. */
      readonly body?: string | Buffer | object
    }
  /** Sends no answer. */
  | 'silence'
  /** Ends the connection in the middle of the usual answer. */
  | 'cut'

export interface StubTools {
  readonly machines: LocalMachines
  readonly url: string
  readonly params: readonly string[]
  /** The JSON of the body, strictly as the schema says. A stray field is answered with 400. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema>
}

export type StubRoute = readonly [
  method: string,
  path: RegExp,
  answer: (request: StubRequest, tools: StubTools) => Promise<StubReply> | StubReply,
]

export interface StubVendor {
  /** The headers that each request must have, or a check of them. */
  readonly authorize: (request: StubRequest) => boolean
  readonly routes: readonly StubRoute[]
  /** The vendor's form of an error. */
  readonly error: (status: number, message: string) => StubReply
}

export async function startStubVendor({ authorize, routes, error }: StubVendor) {
  const machines = createLocalMachines()
  const requests: StubRequest[] = []
  const strays: string[] = []
  let fault: ((request: StubRequest) => StubReply | undefined) | undefined
  let url = ''

  async function answer(request: StubRequest): Promise<StubReply> {
    if (!authorize(request)) return error(401, 'unauthorized')
    for (const [method, pattern, respond] of routes) {
      const params = method === request.method ? pattern.exec(request.path) : null
      if (params === null) continue
      const read = <Schema extends z.ZodType>(schema: Schema) =>
        schema.parse(request.bytes.length === 0 ? undefined : JSON.parse(String(request.bytes)))
      try {
        const tools = { machines, url, read, params: params.slice(1).map(decodeURIComponent) }
        return await respond(request, tools)
      } catch (thrown) {
        const why = thrown instanceof z.ZodError ? z.prettifyError(thrown) : String(thrown)
        strays.push(`${request.method} ${request.path}: ${why}`)
        return error(400, why)
      }
    }
    strays.push(`${request.method} ${request.path}`)
    return error(404, 'no such route')
  }

  const server = createServer(async (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://stub')
    const query = Object.fromEntries(
      [...new Set(searchParams.keys())].map((name) => {
        const values = searchParams.getAll(name)
        return [name, values.length === 1 ? (values[0] ?? '') : values]
      }),
    )
    const { method = '', headers } = incoming
    const request = { method, path: pathname, query, headers, bytes: await buffer(incoming) }
    requests.push(request)
    const planned = fault?.(request)
    if (planned === 'silence') return
    const reply = planned === undefined || planned === 'cut' ? await answer(request) : planned
    send(response, reply, planned === 'cut')
  })
  // A vendor does not end a connection between two steps of a slow test.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}`

  return {
    url,
    machines,
    /** Requests that the documentation does not know. */
    strays,
    take: () => requests.splice(0),
    fail(next: typeof fault) {
      fault = next
    },
    /** A refusal in the vendor's form. */
    refuse: (status: number) => error(status, 'refused'),
    close() {
      server.closeAllConnections()
      server.close()
      machines.close()
    },
  }
}

export type RunningStub = Awaited<ReturnType<typeof startStubVendor>>

function send(response: ServerResponse, reply: StubReply, isCut: boolean) {
  if (typeof reply === 'string') return response.destroy()
  const { status = 200, headers = {}, body = '' } = reply
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
  const content = Buffer.from(isJson ? JSON.stringify(body) : body)
  response.writeHead(status, {
    ...(isJson && { 'content-type': 'application/json' }),
    'content-length': content.length,
    ...headers,
  })
  if (!isCut) return response.end(content)
  response.write(content.subarray(0, Math.floor(content.length / 2)), () => response.destroy())
}
