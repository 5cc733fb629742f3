// A loopback provider that knows only the exchanges of a fixture and records every other request.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { portOf } from '#platform/http/port.ts'

export interface Exchange {
  readonly request: {
    readonly method: string
    /** The values of the base URL's placeholders. */
    readonly host?: Readonly<Record<string, string>>
    readonly path: string
    readonly query: Readonly<Record<string, string | readonly string[]>>
    /** Required headers; `*` stands for any value. */
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly reply: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly text?: string
  }
}

export interface Fixture {
  /** `recorded`: a real reply, trimmed. `docs`: written from the documentation of the vendor or others. */
  readonly origin: 'recorded' | 'docs'
  readonly source: string
  readonly exchanges: readonly Exchange[]
  readonly output: unknown
  /** The vendor's ids that the caller of the example owns. */
  readonly issued?: readonly string[]
  /** The file that the example names. */
  readonly file?: {
    readonly filename: string
    readonly mediaType: string
    readonly address: string
  }
}

export interface ReplayServer {
  /** Replaces the provider's base URL. Placeholders of the host become the first folder. */
  baseUrlFor(baseUrl: string): string
  /** Adds exchanges. */
  add(more: readonly Exchange[]): void
  /** The requests that are not in the fixture, and those of the fixture that were not sent. */
  problems(): readonly string[]
  close(): Promise<void>
}

/** Each exchange is played once, in any order. */
export async function startReplayServer(exchanges: readonly Exchange[]): Promise<ReplayServer> {
  const left = [...exchanges]
  const strangers: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const url = new URL(request.url ?? '', 'http://replay')
    const seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: readQuery(url.searchParams),
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    }
    const place = left.findIndex((exchange) => differences(exchange, seen).length === 0)
    const [exchange] = place === -1 ? [] : left.splice(place, 1)
    if (exchange === undefined) {
      const { headers: _headers, ...asked } = seen
      const why = left.map((candidate) => differences(candidate, seen).join('; ')).join(' | ')
      strangers.push(
        `Asked ${JSON.stringify(asked)}, which no fixture has: ${why || 'none is left'}`,
      )
      response.writeHead(500).end('{}')
      return
    }
    const { status, headers = {}, body, text: reply } = exchange.reply
    response.writeHead(status, headers).end(reply ?? JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  return {
    baseUrlFor(baseUrl) {
      const folders = [...baseUrl.matchAll(/\{[a-z_]+\}/g)].map(
        ([placeholder]) => `/${placeholder}`,
      )
      return `http://127.0.0.1:${port}${folders.join('')}`
    },
    add: (more) => void left.push(...more),
    problems: () => [
      ...strangers,
      ...left.map(({ request }) => `Never asked ${request.method} ${request.path}.`),
    ],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Seen {
  readonly method: string
  readonly path: string
  readonly query: Exchange['request']['query']
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

function differences({ request }: Exchange, seen: Seen): string[] {
  const prefix = Object.values(request.host ?? {}).map((value) => `/${value}`)
  const path = `${prefix.join('')}${request.path}`
  const problem = (what: string, expected: unknown, found: unknown) =>
    isAlike(expected, found)
      ? []
      : [`${what} is not ${JSON.stringify(expected)} but ${JSON.stringify(found)}`]
  return [
    ...problem('method', request.method, seen.method),
    ...problem('path', path, seen.path),
    ...problem('query', request.query, seen.query),
    ...problem('body', request.body, seen.body),
    ...Object.entries(request.headers ?? {}).flatMap(([name, value]) => {
      const found = seen.headers[name]
      return value === '*' && found !== undefined ? [] : problem(`header ${name}`, value, found)
    }),
  ]
}

/** `*` anywhere in the expected value stands for any value. */
function isAlike(expected: unknown, found: unknown): boolean {
  if (expected === '*') return found !== undefined
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(expected, found)
  if (typeof found !== 'object' || found === null) return false
  const [wanted, seen] = [expected, found] as Record<string, unknown>[]
  const names = new Set([...Object.keys(wanted ?? {}), ...Object.keys(seen ?? {})])
  return [...names].every((name) => isAlike(wanted?.[name], seen?.[name]))
}

function readQuery(parameters: URLSearchParams): Exchange['request']['query'] {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
