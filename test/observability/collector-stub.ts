// A collector of OpenTelemetry that keeps what it is sent: OTLP as JSON over HTTP.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '#test/database.ts'

export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface SentLine {
  readonly traceId?: string
  readonly body: string
  readonly severityText: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface CollectorStub {
  readonly url: string
  readonly spans: readonly SentSpan[]
  readonly lines: readonly SentLine[]
  /** The service names that were sent. */
  readonly services: ReadonlySet<string>
  /** Everything that was sent, as text. */
  text(): string
  /** The headers of the requests. */
  readonly headers: readonly Readonly<Record<string, unknown>>[]
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (list: readonly Attribute[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

export async function startCollector(atEnd: AtEnd): Promise<CollectorStub> {
  const spans: SentSpan[] = []
  const lines: SentLine[] = []
  const services = new Set<string>()
  const texts: string[] = []
  const headers: Record<string, unknown>[] = []
  const take = (sent: UntypedJson) => {
    for (const { resource, scopeSpans = [], scopeLogs = [] } of [
      ...(sent.resourceSpans ?? []),
      ...(sent.resourceLogs ?? []),
    ]) {
      services.add(String(attributesOf(resource.attributes)['service.name']))
      for (const scope of scopeSpans)
        for (const span of scope.spans)
          spans.push({ ...span, attributes: attributesOf(span.attributes) })
      for (const scope of scopeLogs)
        for (const { body, ...line } of scope.logRecords)
          lines.push({ ...line, body: body.stringValue, attributes: attributesOf(line.attributes) })
    }
  }
  const server = createServer(async (request, response) => {
    const isKnown = request.url === '/v1/traces' || request.url === '/v1/logs'
    const isJson = request.headers['content-type']?.startsWith('application/json')
    if (request.method !== 'POST' || !isKnown || !isJson) return response.writeHead(400).end()
    headers.push(request.headers)
    const sent = await json(request)
    texts.push(JSON.stringify(sent))
    take(sent)
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${portOf(server)}`
  return { url, spans, lines, services, headers, text: () => texts.join('\n') }
}
