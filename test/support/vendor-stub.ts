// A loopback vendor that answers every request as the test tells it, for tests of money rather than of requests.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { portOf } from '#platform/http/port.ts'

export interface VendorStub {
  readonly url: string
  /** The requests since the last `say`, as `METHOD /path`. */
  readonly asked: readonly string[]
  /** Sets the next replies, in order. The last one stays. */
  say(...replies: { readonly status?: number; readonly body: unknown }[]): void
}

export function shareVendorStub(): () => VendorStub {
  let asked: string[] = []
  let replies: Parameters<VendorStub['say']> = []
  let url = ''
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    request.resume()
    const [{ status = 200, body } = { body: {} }] = replies
    if (replies.length > 1) replies = replies.slice(1)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${portOf(server)}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => ({
    url,
    get asked() {
      return asked
    },
    say(...next) {
      asked = []
      replies = next
    },
  })
}
