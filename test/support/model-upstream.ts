// A loopback vendor of language models, in the common format and in those of vendors. It checks every request strictly,
// answers as the vendors document, and can fail in every way that they can.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from './database.ts'
import { anthropicFormat } from './models/anthropic-format.ts'
import type { Json, ModelFormat, Said, UpstreamFormat } from './models/format.ts'
import { geminiFormat } from './models/gemini-format.ts'
import { openAiFormat } from './models/openai-format.ts'
import { responsesFormat } from './models/responses-format.ts'

export type { Json }

export const formats: Readonly<Record<UpstreamFormat, ModelFormat>> = {
  openai: openAiFormat,
  anthropic: anthropicFormat,
  responses: responsesFormat,
  gemini: geminiFormat,
}
const formatNames = Object.keys(formats) as UpstreamFormat[]

export interface Asked {
  readonly wire: UpstreamFormat
  readonly model: string
  /** Whether a stream is asked for. */
  readonly streams: boolean
  readonly body: Json
  readonly headers: IncomingMessage['headers']
  /** Whether the gateway closed the connection before the end of the answer. */
  abandoned: boolean
}

export interface Exchange extends Asked {
  readonly response: ServerResponse
  readonly socket: Socket
  /** Sends a status with a body of the wire's own error form. */
  refuse(status: number, error?: object, headers?: Record<string, string>): void
  /** The parts of a normal answer, which a test may send or change. */
  answer(what?: Partial<Said>): void
  /** The events of a normal stream, one string each. */
  events(what?: Partial<Said>): string[]
  /** Sends the head of a stream. */
  openStream(): void
}

export type Behaviour = (exchange: Exchange) => unknown

export interface ModelUpstream {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Faults of requests that no vendor would accept. */
  readonly problems: readonly string[]
  /** Sets the behaviour of a model: one for every call, or a list in order, of which the last one stays. */
  behave(model: string, ...behaviours: [Behaviour, ...Behaviour[]]): void
  openSockets(): number
  reset(): void
}

export const sentence = ['The ', 'quick ', 'brown ', 'fox ', '“jumps”\n', 'over ', '42 ', 'dogs.']
const ordinary: Said = {
  tokens: sentence,
  toolCalls: [],
  reasoning: '',
  signature: '',
  refusal: '',
  promptTokens: 100,
  completionTokens: 50,
  thoughtTokens: 0,
  finish: 'stop',
  usage: 'end',
}

export async function startModelUpstream(atEnd: AtEnd): Promise<ModelUpstream> {
  const behaviours = new Map<string, Behaviour[]>()
  const asked: Asked[] = []
  const problems: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const wire = formatNames.find((name) => request.url?.startsWith(formats[name].base)) ?? 'openai'
    if (request.url === '/openai/v1/models') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama3.2:1b' }] }))
      return
    }
    const body = JSON.parse(text)
    const found = formats[wire].problems(request, body)
    problems.push(...found)
    const exchange = openExchange({ wire, body, request, response })
    asked.push(exchange)
    response.on('close', () => {
      exchange.abandoned = !response.writableFinished
    })
    if (found.length > 0)
      return exchange.refuse(400, { type: 'invalid_request_error', message: found.join() })
    const list = behaviours.get(exchange.model) ?? []
    const behaviour = list.length > 1 ? list.shift() : list[0]
    await (behaviour ?? (() => exchange.answer()))(exchange)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.keepAliveTimeout = 60_000
  // As many callers at once as a gateway takes.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked,
    problems,
    behave: (model, ...list) => behaviours.set(model, list),
    openSockets: () => sockets.size,
    reset() {
      behaviours.clear()
      asked.length = 0
      problems.length = 0
    },
  }
}

function openExchange(parts: {
  wire: UpstreamFormat
  body: Json
  request: IncomingMessage
  response: ServerResponse
}): Exchange {
  const { wire, body, request, response } = parts
  const format = formats[wire]
  const model = format.modelOf(request, body)
  const streams = format.isStream(request, body)
  const events = (what: Partial<Said> = {}) => format.events(model, saidOf(what), body)
  const sendJson = (status: number, value: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }
  const openStream = () => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
  }
  return {
    wire,
    model,
    streams,
    body,
    headers: request.headers,
    abandoned: false,
    response,
    socket: request.socket,
    openStream,
    events,
    refuse: (status, error = { type: 'api_error', message: 'secret vendor words' }, headers) =>
      sendJson(status, format.error(error, status), headers),
    answer(what = {}) {
      if (streams) {
        openStream()
        for (const event of events(what)) response.write(event)
        response.end()
      } else sendJson(200, format.answer(model, saidOf(what), body))
    },
  }
}

/** A model that calls tools says nothing else unless it is told to. */
export const saidOf = (what: Partial<Said>): Said => ({
  ...ordinary,
  ...(what.toolCalls === undefined && what.refusal === undefined ? {} : { tokens: [] }),
  ...what,
})

/** The normal events with one pause between them. */
export const pieces = (exchange: Exchange, upTo: number, what?: Partial<Said>) => {
  exchange.openStream()
  for (const event of exchange.events(what).slice(0, upTo)) exchange.response.write(event)
}
export const silence: Behaviour = () => {}
export const late =
  (delayMs: number): Behaviour =>
  async (exchange) => {
    await delay(delayMs)
    exchange.answer()
  }
export const refuses =
  (status: number, headers?: Record<string, string>, error?: object): Behaviour =>
  (exchange) =>
    exchange.refuse(status, error, headers)
export const resets: Behaviour = ({ socket }) => socket.resetAndDestroy()
/** Streams some events, or half of an answer that is not streamed, and then does something else. */
export const breaksAfter =
  (count: number, then: (exchange: Exchange) => unknown): Behaviour =>
  async (exchange) => {
    if (exchange.streams) pieces(exchange, count)
    else {
      exchange.response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': '2000',
      })
      exchange.response.write('{"id":"chatcmpl-1","object":"chat.comp')
    }
    await delay(30)
    await then(exchange)
  }
export const cuts = ({ socket }: Exchange) => socket.destroy()
