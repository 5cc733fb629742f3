// The vendors that people are found by, as one loopback server. It answers by path, and a test may replace single
// answers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { portOf } from '#platform/http/port.ts'

/** What a vendor says: a body, a status, or a function of the request. */
export type Said =
  | number
  | object
  | ((request: {
      readonly query: URLSearchParams
      readonly body: Record<string, unknown>
    }) => Said | Promise<Said>)

export interface PeopleVendors {
  /** The keys and addresses of the vendors. */
  readonly env: Readonly<Record<string, string>>
  /** The paths that were asked since the last `say`. */
  readonly asked: readonly string[]
  /** Replaces all answers, by path without the namespace: `/email-finder`. Other paths are 500. */
  say(answers: Readonly<Record<string, Said>>): void
  close(): void
}

const namespaces = ['ns_semantic', 'ns_contact', 'ns_email_a', 'ns_email_b', 'ns_scholar'] as const

export async function startPeopleVendors(): Promise<PeopleVendors> {
  let asked: string[] = []
  let answers: Readonly<Record<string, Said>> = {}
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const url = new URL(request.url ?? '', 'http://vendor')
    const path = url.pathname.replace(/^\/ns_[a-z_]+/, '')
    asked.push(path)
    const seen = { query: url.searchParams, body: text === '' ? {} : JSON.parse(text) }
    let said: Said = answers[path] ?? 500
    while (typeof said === 'function') said = await said(seen)
    const [status, body] = typeof said === 'number' ? [said, {}] : [200, said]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  return {
    env: Object.fromEntries(
      namespaces.flatMap((namespace) => [
        [`${namespace.toUpperCase()}_API_KEY`, 'key:secret'],
        [`${namespace.toUpperCase()}_BASE_URL`, `http://127.0.0.1:${port}/${namespace}`],
      ]),
    ),
    get asked() {
      return asked
    },
    say(next) {
      asked = []
      answers = next
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
