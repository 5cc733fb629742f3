// A loopback vendor of language models, in the common format and in Anthropic's. It checks every request strictly,
// answers as the vendors document, and can fail in every way that they can.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { AtEnd } from './database.ts'

export type WireName = 'openai' | 'anthropic'

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of a body.
export type Json = any

export interface Asked {
  readonly wire: WireName
  readonly model: string
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

/** The model's answer. */
export interface Said {
  readonly tokens: readonly string[]
  readonly toolCalls: readonly { id: string; name: string; arguments: readonly string[] }[]
  readonly reasoning: string
  readonly promptTokens: number
  readonly completionTokens: number
  /** Billed as output beyond the completion: only the total counts them. */
  readonly thoughtTokens: number
  readonly finish: 'stop' | 'length'
  readonly usage: 'end' | 'none'
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
    const wire = request.url?.startsWith('/anthropic/') ? 'anthropic' : 'openai'
    if (request.url === '/openai/v1/models') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama3.2:1b' }] }))
      return
    }
    const body = JSON.parse(text)
    const found =
      wire === 'openai' ? openAiProblems(request, body) : anthropicProblems(request, body)
    problems.push(...found)
    const exchange = openExchange({ wire, body, request, response })
    asked.push(exchange)
    response.on('close', () => {
      exchange.abandoned = !response.writableFinished
    })
    if (found.length > 0)
      return exchange.refuse(400, { type: 'invalid_request_error', message: found.join() })
    const list = behaviours.get(body.model) ?? []
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
  wire: WireName
  body: Json
  request: IncomingMessage
  response: ServerResponse
}): Exchange {
  const { wire, body, request, response } = parts
  const events = (what: Partial<Said> = {}) =>
    (wire === 'openai' ? openAiEvents : anthropicEvents)(body, { ...ordinary, ...what })
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
    model: body.model,
    body,
    headers: request.headers,
    abandoned: false,
    response,
    socket: request.socket,
    openStream,
    events,
    refuse: (status, error = { type: 'api_error', message: 'secret vendor words' }, headers) =>
      sendJson(status, wire === 'openai' ? { error } : { type: 'error', error }, headers),
    answer(what) {
      const said = { ...ordinary, ...what }
      if (body.stream === true) {
        openStream()
        for (const event of events(what)) response.write(event)
        response.end()
      } else
        sendJson(200, wire === 'openai' ? openAiAnswer(body, said) : anthropicAnswer(body, said))
    },
  }
}

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
    if (exchange.body.stream === true) pieces(exchange, count)
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

const usageOf = ({ promptTokens, completionTokens, thoughtTokens }: Said) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens + thoughtTokens,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 7 + thoughtTokens },
})

function openAiAnswer(body: Json, said: Said): Json {
  const calls = said.toolCalls.map(({ id, name, arguments: pieces }) => ({
    id,
    type: 'function',
    function: { name, arguments: pieces.join('') },
  }))
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : said.tokens.join(''),
    refusal: null,
    ...(said.reasoning === '' ? {} : { reasoning_content: said.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: `${body.model}-2026-01-01`,
    choices: Array.from({ length: body.n ?? 1 }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason: calls.length > 0 ? 'tool_calls' : said.finish,
    })),
    ...(said.usage === 'none' ? {} : { usage: usageOf(said) }),
    system_fingerprint: 'fp_1',
  }
}

function openAiEvents(body: Json, said: Said): string[] {
  const chunk = (choices: Json[], more = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: `${body.model}-2026-01-01`, system_fingerprint: 'fp_1', choices, usage: null, ...more })}\n\n`
  const choice = (delta: Json, finish: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ]
  const calls = said.toolCalls.flatMap(({ id, name, arguments: pieces }, index) => [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
  ])
  return [
    chunk(choice({ role: 'assistant', content: '', refusal: null })),
    ...(said.reasoning === '' ? [] : [chunk(choice({ reasoning_content: said.reasoning }))]),
    ...(calls.length > 0
      ? calls.map((call) => chunk(choice({ tool_calls: [call] })))
      : said.tokens.map((content) => chunk(choice({ content })))),
    chunk(choice({}, calls.length > 0 ? 'tool_calls' : said.finish)),
    ...(said.usage === 'none' ? [] : [chunk([], { usage: usageOf(said) })]),
    'data: [DONE]\n\n',
  ]
}

function anthropicAnswer(body: Json, said: Said): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content:
      said.toolCalls.length > 0
        ? said.toolCalls.map(({ id, name, arguments: pieces }) => ({
            type: 'tool_use',
            id,
            name,
            input: JSON.parse(pieces.join('')),
          }))
        : [
            ...(said.reasoning === ''
              ? []
              : [{ type: 'thinking', thinking: said.reasoning, signature: 's' }]),
            { type: 'text', text: said.tokens.join('') },
          ],
    stop_reason: said.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    ...(said.usage === 'none'
      ? {}
      : { usage: { input_tokens: said.promptTokens, output_tokens: said.completionTokens } }),
  }
}

function anthropicEvents(body: Json, said: Said): string[] {
  const event = (value: Json) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const block = (index: number, start: Json, deltas: Json[]) => [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
  const counted = said.usage === 'end'
  const message = {
    ...anthropicAnswer(body, said),
    content: [],
    stop_reason: null,
    ...(counted ? { usage: { input_tokens: said.promptTokens, output_tokens: 1 } } : {}),
  }
  return [
    event({ type: 'message_start', message }),
    event({ type: 'ping' }),
    ...(said.toolCalls.length > 0
      ? said.toolCalls.flatMap(({ id, name, arguments: pieces }, index) =>
          block(
            index,
            { type: 'tool_use', id, name, input: {} },
            pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
          ),
        )
      : block(
          0,
          { type: 'text', text: '' },
          said.tokens.map((text) => ({ type: 'text_delta', text })),
        )),
    event({
      type: 'message_delta',
      delta: {
        stop_reason: said.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
        stop_sequence: null,
      },
      ...(counted ? { usage: { output_tokens: said.completionTokens } } : {}),
    }),
    event({ type: 'message_stop' }),
  ]
}

const openAiFields = new Set(
  'model messages max_tokens max_completion_tokens stream stream_options tools tool_choice parallel_tool_calls response_format temperature top_p stop seed logprobs top_logprobs n user presence_penalty frequency_penalty logit_bias reasoning_effort verbosity reasoning prompt_cache_key'.split(
    ' ',
  ),
)
const anthropicFields = new Set(
  'model messages max_tokens stream system tools tool_choice temperature top_p top_k stop_sequences metadata output_config'.split(
    ' ',
  ),
)

function openAiProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, openAiFields)
  if (request.url !== '/openai/v1/chat/completions') problems.push(`path ${request.url}`)
  if (request.headers.authorization !== 'Bearer upstream-key') problems.push('authorization')
  if (!(Number(body.max_tokens ?? body.max_completion_tokens) >= 1)) problems.push('no token limit')
  if (body.stream === true && body.stream_options?.include_usage !== true)
    problems.push('no usage wanted')
  return problems
}

function anthropicProblems(request: IncomingMessage, body: Json): string[] {
  const problems = commonProblems(request, body, anthropicFields)
  if (request.url !== '/anthropic/v1/messages') problems.push(`path ${request.url}`)
  if (request.headers['x-api-key'] !== 'upstream-key') problems.push('x-api-key')
  if (request.headers['anthropic-version'] !== '2023-06-01') problems.push('anthropic-version')
  if (!(body.max_tokens >= 1)) problems.push('max_tokens')
  let last = 'assistant'
  for (const turn of body.messages ?? []) {
    if (turn.role === last) problems.push('two turns of one role')
    last = turn.role
    if (!Array.isArray(turn.content) || turn.content.length === 0) problems.push('an empty turn')
    for (const part of turn.content)
      if (!['text', 'image', 'tool_use', 'tool_result'].includes(part.type))
        problems.push(part.type)
  }
  for (const tool of body.tools ?? [])
    if (typeof tool.input_schema !== 'object') problems.push('input_schema')
  return problems
}

function commonProblems(request: IncomingMessage, body: Json, fields: Set<string>): string[] {
  return [
    ...Object.keys(body)
      .filter((name) => !fields.has(name))
      .map((name) => `unknown field ${name}`),
    ...(request.method === 'POST' ? [] : ['method']),
    ...(request.headers['content-type'] === 'application/json' ? [] : ['content-type']),
    ...(typeof body.model === 'string' ? [] : ['model']),
    ...(Array.isArray(body.messages) && body.messages.length > 0 ? [] : ['messages']),
    ...(Object.keys(request.headers).some((name) => /idempotency|cookie|^x-stainless/.test(name))
      ? ['headers of the caller']
      : []),
  ]
}
