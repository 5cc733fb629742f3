// The vendor of browsers on loopback, strict in what it accepts, and its paid endpoint. Both keep state.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import { z } from '#core/action.ts'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '../database.ts'

export const vendorKey = 'bb_test_key'

export interface Asked {
  readonly request: string
  readonly body: unknown
}

type Answer = readonly [status: number, body: unknown] | 'silence' | 'lost'
/** Fields in which an answer differs from a good one. */
type Twist = Readonly<Record<string, unknown>>

/** What the vendor's API takes. Source: the types of its client library. */
const creation = z.strictObject({
  timeout: z.int().min(60).max(21_600),
  keepAlive: z.boolean().optional(),
  proxies: z
    .tuple([
      z.strictObject({
        type: z.literal('browserbase'),
        geolocation: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/) }),
      }),
    ])
    .optional(),
  userMetadata: z
    .record(z.string(), z.unknown())
    .refine((metadata) => JSON.stringify(metadata).length <= 512)
    .optional(),
})
/** The vendor compares a string in the metadata, and nothing else. */
const metadataQuery = /^user_metadata\['(\w+)'\]:'([\w-]+)'$/
const update = z.strictObject({ status: z.literal('REQUEST_RELEASE') })

async function serve(
  answer: (at: string, asked: IncomingMessage, body: unknown) => Answer,
  atEnd: AtEnd = onTestFinished,
) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = text === '' ? undefined : JSON.parse(text)
    const at = `${request.method} ${request.url}`
    asked.push({ request: at, body })
    const answered = answer(at, request, body)
    if (answered === 'silence') return
    if (answered === 'lost') return request.socket.destroy()
    const [status, reply] = answered
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${portOf(server)}`, asked }
}

interface VendorSession {
  status: string
  readonly expiresAt: string
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined
}

export async function startBrowserVendor(atEnd?: AtEnd) {
  const sessions = new Map<string, VendorSession>()
  const next: {
    refuses?: number | undefined
    creates?: 'silence' | 'lost' | undefined
    answers?: Twist | undefined
  } = {}

  function show(id: string) {
    const { status, expiresAt, userMetadata } = sessions.get(id) ?? {}
    return {
      ...(userMetadata && { userMetadata }),
      id,
      status,
      expiresAt,
      projectId: 'project',
      proxyBytes: 0,
      keepAlive: false,
      createdAt: new Date().toISOString(),
      updatedAt: new Date().toISOString(),
      startedAt: new Date().toISOString(),
      region: 'us-west-2',
    }
  }

  function create(body: unknown): Answer {
    const { data, error } = creation.safeParse(body)
    if (data === undefined) return [400, { statusCode: 400, message: String(error) }]
    const id = `vendor-session-${sessions.size + 1}`
    const expiresAt = new Date(Date.now() + data.timeout * 1_000).toISOString()
    sessions.set(id, { status: 'RUNNING', expiresAt, userMetadata: data.userMetadata })
    if (next.creates !== undefined) return next.creates
    const connectUrl = `wss://connect.vendor.test/?session=${id}`
    return [201, { ...show(id), connectUrl, ...next.answers }]
  }

  function list(query: URLSearchParams): Answer {
    const [, name = '', value] = metadataQuery.exec(query.get('q') ?? '') ?? []
    if (query.size !== 1 || name === '') return [400, { message: 'Bad Request' }]
    const isFound = ([, { userMetadata }]: [string, VendorSession]) =>
      userMetadata?.[name] === value
    return [200, [...sessions].filter(isFound).map(([id]) => show(id))]
  }

  const { url, asked } = await serve((at, { headers }, body) => {
    if (headers['x-bb-api-key'] !== vendorKey) return [401, { message: 'Unauthorized' }]
    if (next.refuses !== undefined) return [next.refuses, { message: 'Refused by the test.' }]
    if (at === 'POST /v1/sessions') return create(body)
    const [place, query] = at.split('?')
    if (place === 'GET /v1/sessions') return list(new URLSearchParams(query))
    const [, method, id = ''] = /^(GET|POST) \/v1\/sessions\/([\w-]+)$/.exec(at) ?? []
    const session = sessions.get(id)
    if (session === undefined) return [404, { message: 'Not Found' }]
    if (method === 'POST') {
      if (!update.safeParse(body).success) return [400, { message: 'Bad Request' }]
      session.status = 'COMPLETED'
    }
    return [200, show(id)]
  }, atEnd)
  return {
    url,
    asked,
    next,
    statusOf: (id: string) => sessions.get(id)?.status,
    /** As when its last client has left. */
    complete: (id: string) =>
      sessions.set(id, { status: 'COMPLETED', expiresAt: new Date().toISOString() }),
    running: () => [...sessions].flatMap(([id, { status }]) => (status === 'RUNNING' ? [id] : [])),
    metadataOf: (id: string) => sessions.get(id)?.userMetadata,
  }
}

/** Asks for a payment before it sells minutes. */
export async function startPaidEndpoint() {
  const sessions = new Map<string, { minutes: number; released: boolean }>()
  const paid: number[] = []
  const next: { answers?: Twist | undefined } = {}
  const state = (id: string) => {
    const { minutes = 0, released } = sessions.get(id) ?? {}
    return {
      sessionId: id,
      status: released ? 'released' : 'active',
      usage: { minutesPaid: minutes, minutesUsed: 0, minutesRemaining: minutes },
    }
  }
  const { url, asked } = await serve((at, { headers }, body) => {
    const [, id = '', verb = ''] = /^\w+ \/browser\/session\/([\w-]+)\/?(\w*)$/.exec(at) ?? []
    const { estimatedMinutes, additionalMinutes } = (body ?? {}) as Record<string, number>
    const minutes = estimatedMinutes ?? additionalMinutes
    if (minutes !== undefined) {
      const price_usd = minutes * 0.002
      if (headers['x-test-payment'] !== String(price_usd)) return [402, { price_usd }]
      paid.push(price_usd)
    }
    if (at === 'POST /browser/session/create') {
      const created = `sold-${sessions.size + 1}`
      sessions.set(created, { minutes: minutes ?? 0, released: false })
      const connectUrl = `wss://connect.vendor.test/?session=${created}`
      return [200, { sessionId: created, connectUrl, paidMinutes: minutes, ...next.answers }]
    }
    const session = sessions.get(id)
    if (session === undefined) return [404, { error: 'not found' }]
    if (verb === 'extend') session.minutes += minutes ?? 0
    if (at.startsWith('DELETE')) session.released = true
    return [200, verb === 'extend' ? { ok: true } : state(id)]
  })
  return { url, asked, paid, next }
}
