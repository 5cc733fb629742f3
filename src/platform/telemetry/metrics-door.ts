// A listener that answers /metrics and nothing else, for a network that only the operator reaches.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export interface MetricsDoor {
  readonly url: string
  close(): Promise<void>
}

export async function openMetricsDoor(
  { contentType, render }: Pick<Metrics, 'contentType' | 'render'>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<MetricsDoor> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('This port answers GET /metrics.\n')
      return
    }
    render().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: found } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
