// A vendor of tide tables that changes its replies, and fails, in each way that a vendor can.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { portOf } from '#platform/http/port.ts'

export const tidesKey = 'tides-key-of-the-operator-0123456789'

export type Drift =
  | 'none'
  | 'lacks a field'
  | 'has a new field'
  | 'changes a type'
  | 'has a new price header'
  | 'charges more'
  | 'answers with another form'
  | 'is not found'
  | 'refuses the key'
  | 'has no credit'
  | 'breaks'
  | 'answers with a page'
  | 'breaks off'
  | 'redirects'
  | 'is busy'
  | 'tells secrets'
  | 'is huge'
  | 'is nested without end'
  | 'is one long word'
  | 'waits'

export interface DriftingVendor {
  readonly url: string
  /** The requests of the test, as `GET /tides?port=Brest`. */
  readonly asked: readonly string[]
  fault: Drift
  /** Answers those that wait. */
  release(): void
}

interface Tide {
  at?: string
  metres: number
  datum?: string
}

const usual = () => ({
  port: 'Brest' as unknown,
  tides: [1, 2, 3, 4].map((metres): Tide => ({ at: `2026-11-29T0${metres}:00Z`, metres })),
  credits_used: 1,
})

const statuses: Partial<Record<Drift, number>> = {
  'is not found': 404,
  'refuses the key': 401,
  'has no credit': 402,
  breaks: 503,
  redirects: 302,
  'is busy': 429,
}

function bodyOf(fault: Drift): unknown {
  const body = usual()
  if (fault === 'lacks a field') for (const tide of body.tides) delete tide.at
  if (fault === 'has a new field') for (const tide of body.tides) tide.datum = 'LAT'
  if (fault === 'changes a type') body.port = { name: 'Brest' }
  if (fault === 'answers with another form') return { data: body }
  if (fault === 'tells secrets')
    return {
      ...body,
      [`echo of ${tidesKey}`]: `Bearer ${tidesKey}`,
      basic: Buffer.from(tidesKey).toString('base64'),
      contact: 'ada@navy.example',
      'eve@navy.example': { role: 'pilot' },
    }
  if (fault === 'is huge')
    return { ...body, notes: Object.fromEntries(names.map((name) => [name, 'x'.repeat(1_000)])) }
  return body
}
const names = Array.from({ length: 3_000 }, (_, number) => `note_${number}`)

export function shareDriftingVendor(): () => DriftingVendor {
  let url = ''
  let asked: string[] = []
  let waiting: (() => void)[] = []
  const state = { fault: 'none' as Drift }
  const release = () => {
    for (const answer of waiting) answer()
    waiting = []
  }

  function answer(response: ServerResponse, isAllowed: boolean) {
    const { fault } = state
    if (fault === 'breaks off') return void response.destroy()
    const status = isAllowed ? (statuses[fault] ?? 200) : 401
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-request-cost': fault === 'charges more' ? '5' : '1',
      ...(fault === 'has a new price header' && { 'x-credits-charged': '7' }),
      ...(fault === 'redirects' && { location: 'http://127.0.0.1:1/' }),
    }
    response.writeHead(status, headers)
    if (status !== 200) return void response.end('{"message":"No."}')
    if (fault === 'is nested without end')
      return void response.end(`${'{"in":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    if (fault === 'is one long word') return void response.end('x'.repeat(300_000))
    response.end(
      fault === 'answers with a page' ? '<html>Hello</html>' : JSON.stringify(bodyOf(fault)),
    )
  }

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume()
    const isAllowed = request.headers.authorization === `Bearer ${tidesKey}`
    if (state.fault === 'waits') waiting.push(() => answer(response, isAllowed))
    else answer(response, isAllowed)
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${portOf(server)}`
  })
  beforeEach(() => {
    asked = []
    state.fault = 'none'
  })
  afterAll(() => {
    release()
    server.closeAllConnections()
    server.close()
  })
  return () => ({
    get url() {
      return url
    },
    get asked() {
      return asked
    },
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    release,
  })
}
