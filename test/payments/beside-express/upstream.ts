// The upstream of both sellers. It numbers its answers, so that one answer given twice differs from two answers.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '#test/database.ts'
import { createGate } from '#test/gate.ts'

export type Behaviour =
  | 'answers'
  /** It answers when it is released. */
  | 'waits'
  | 'fails'
  | 'breaks the connection'
  | 'hangs'
  | 'answers another shape'
  | 'answers a page'
  | 'breaks off'

export interface Upstream {
  readonly url: string
  /** How often it was asked since it was made to behave in this way. */
  readonly runs: number
  behave(behaviour: Behaviour): void
  /** Resolves when this many requests wait. */
  waiting(requests: number): Promise<void>
  /** Requests that wait are answered, and later ones are answered at once. */
  release(): void
}

export async function openUpstream(atEnd: AtEnd): Promise<Upstream> {
  let behaviour: Behaviour = 'answers'
  let runs = 0
  let serial = 0
  const gate = createGate()

  async function answer(text: string, response: ServerResponse): Promise<void> {
    runs += 1
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ echo: text, serial: ++serial })
    if (behaviour === 'waits') await gate.wait()
    if (behaviour === 'hangs') return
    if (behaviour === 'breaks the connection') return void response.destroy()
    if (behaviour === 'fails') return void response.writeHead(500, json).end('{"error":"failed"}')
    if (behaviour === 'answers another shape')
      return void response.writeHead(200, json).end('{"echo":42}')
    if (behaviour === 'answers a page')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) })
    if (behaviour !== 'breaks off') return void response.end(body)
    // The first half must leave before the connection ends.
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  }

  const server = createServer(async (request, response) => {
    let asked = ''
    for await (const chunk of request) asked += chunk
    await answer(JSON.parse(asked).text, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    get runs() {
      return runs
    },
    behave(next) {
      behaviour = next
      runs = 0
      gate.renew()
    },
    waiting: gate.waiting,
    release: gate.open,
  }
}
