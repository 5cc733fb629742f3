// A loopback vendor of everything that models answer besides chats. It checks every request strictly, by the vendor's
// reference, answers as that documents, and can fail.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '../database.ts'
import type { Json } from '../model-upstream.ts'

export interface SurfaceAsked {
  readonly path: string
  /** The body of a JSON request, or the fields of a form. */
  readonly body: Json
  readonly form: FormData | undefined
  readonly response: ServerResponse
  readonly socket: Socket
  /** Whether the gateway closed the connection before the end of the answer. */
  abandoned: boolean
  send(status: number, value: unknown, headers?: Record<string, string>): void
  /** The normal answer. */
  answer(): void
}

export type SurfaceBehaviour = (asked: SurfaceAsked) => unknown

export interface SurfaceUpstream {
  readonly url: string
  readonly asked: readonly SurfaceAsked[]
  /** Faults of requests that no vendor would accept. */
  readonly problems: readonly string[]
  /** What an address does: one behaviour for every call, or a list in order, of which the last one stays. */
  behave(path: string, ...behaviours: [SurfaceBehaviour, ...SurfaceBehaviour[]]): void
  reset(): void
}

interface SurfaceRule {
  readonly type: 'application/json' | 'multipart/form-data'
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly answer: (asked: SurfaceAsked) => unknown
}

const pictureFields = [
  ...['stream', 'partial_images'],
  ...['n', 'size', 'quality', 'background', 'moderation', 'output_format'],
  ...['output_compression', 'response_format', 'style', 'user'],
]

const helloToYou = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'chat',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello to you.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
}

const rules: Readonly<Record<string, SurfaceRule>> = {
  '/v1/embeddings': {
    type: 'application/json',
    required: ['model', 'input'],
    optional: ['dimensions', 'encoding_format', 'user'],
    answer: ({ body }) => embeddingsOf(body),
  },
  '/v1/images/generations': {
    type: 'application/json',
    required: ['model', 'prompt'],
    optional: pictureFields,
    answer: (asked) => (asked.body.stream ? draw(asked) : picturesOf(asked.body)),
  },
  '/v1/images/edits': {
    type: 'multipart/form-data',
    required: ['model', 'prompt'],
    optional: [...pictureFields, 'image', 'image[]', 'mask', 'input_fidelity'],
    answer: (asked) => (asked.body.stream ? draw(asked, 400) : picturesOf(asked.body, 400)),
  },
  '/v1/audio/transcriptions': {
    type: 'multipart/form-data',
    required: ['model', 'file'],
    optional: [
      ...['language', 'prompt', 'response_format', 'temperature', 'stream'],
      ...['timestamp_granularities[]', 'include[]'],
    ],
    answer: (asked) => (asked.body.stream ? hear(asked) : transcriptOf(asked.body)),
  },
  '/v1/chat/completions': {
    type: 'application/json',
    required: ['model', 'messages', 'max_tokens'],
    optional: ['service_tier'],
    answer: () => helloToYou,
  },
  '/v1/moderations': {
    type: 'application/json',
    required: ['model', 'input'],
    optional: [],
    answer: ({ body }) => moderationOf(body),
  },
  '/v1/rerank': {
    type: 'application/json',
    required: ['model', 'query', 'documents'],
    optional: ['top_n', 'max_tokens_per_doc'],
    answer: ({ body }) => rankingOf(body),
  },
  '/v1/audio/speech': {
    type: 'application/json',
    required: ['model', 'input', 'voice'],
    optional: ['instructions', 'response_format', 'speed', 'stream_format'],
    answer: speak,
  },
}

export async function startSurfaceUpstream(atEnd: AtEnd): Promise<SurfaceUpstream> {
  const behaviours = new Map<string, SurfaceBehaviour[]>()
  const asked: SurfaceAsked[] = []
  const problems: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const read = await readAsked(request, response)
    asked.push(read)
    response.on('close', () => {
      read.abandoned = !response.writableFinished
    })
    const found = problemsOf(request, read)
    problems.push(...found)
    if (found.length > 0)
      return read.send(400, { error: { type: 'invalid_request_error', message: found.join() } })
    const list = behaviours.get(read.path) ?? []
    const behaviour = list.length > 1 ? list.shift() : list[0]
    await (behaviour ?? ((it) => it.answer()))(read)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1`,
    asked,
    problems,
    behave: (path, ...list) => behaviours.set(`/v1${path}`, list),
    reset() {
      behaviours.clear()
      asked.length = 0
      problems.length = 0
    },
  }
}

async function readAsked(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SurfaceAsked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const path = request.url ?? ''
  const form = type.startsWith('multipart/form-data')
    ? await new Response(bytes, { headers: { 'content-type': type } }).formData()
    : undefined
  const read: SurfaceAsked = {
    path,
    form,
    body: form === undefined ? JSON.parse(bytes.toString()) : Object.fromEntries(form),
    response,
    socket: request.socket,
    abandoned: false,
    send(status, value, headers = {}) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(value))
    },
    answer() {
      const answer = rules[path]?.answer(read)
      if (answer !== undefined) read.send(200, answer)
    },
  }
  return read
}

function problemsOf({ method, headers }: IncomingMessage, { path, body }: SurfaceAsked): string[] {
  const rule = rules[path]
  if (rule === undefined) return [`path ${path}`]
  const names = new Set([...rule.required, ...rule.optional])
  return [
    ...(method === 'POST' ? [] : ['method']),
    ...(headers['content-type']?.split(';')[0] === rule.type ? [] : ['content-type']),
    ...(headers.authorization === 'Bearer upstream-key' ? [] : ['authorization']),
    ...rule.required.filter((name) => body[name] === undefined).map((name) => `no ${name}`),
    ...Object.keys(body)
      .filter((name) => !names.has(name))
      .map((name) => `unknown field ${name}`),
    ...(Object.keys(headers).some((name) => /idempotency|cookie|^x-stainless/.test(name))
      ? ['headers of the caller']
      : []),
  ]
}

/** A token for each two bytes. The first number of a vector says the place of its text. */
function embeddingsOf({ model, input, dimensions = 4, encoding_format }: Json): Json {
  const isOne = typeof input === 'string' || typeof input[0] === 'number'
  const texts = isOne ? [input] : input
  const tokens = texts
    .map((text: Json) => (typeof text === 'string' ? tokensIn(text) : text.length))
    .reduce((sum: number, count: number) => sum + count, 0)
  return {
    object: 'list',
    model: `${model}-2026`,
    data: texts.map((_: unknown, index: number) => {
      const numbers = Array.from({ length: dimensions }, (_, place) =>
        place === 0 ? index : 1 / (place + 1),
      )
      const bytes = Buffer.from(Float32Array.from(numbers).buffer)
      return {
        object: 'embedding',
        index,
        embedding: encoding_format === 'base64' ? bytes.toString('base64') : numbers,
      }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

const tokensIn = (text: string) => Math.ceil(Buffer.byteLength(text) / 2)

/** The sound of a text, in three pieces. */
export const soundPieces = ['ID3-first ', 'second ', 'third'] as const
const soundCount = { input_tokens: 14, output_tokens: 101, total_tokens: 115 }

/** Sends the head of an answer, and so many pieces of sound. */
export function beginToSpeak(
  { body, response }: SurfaceAsked,
  pieces: number = soundPieces.length,
): void {
  const isEvents = body.stream_format === 'sse'
  response.writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : 'audio/mpeg' })
  for (const piece of soundPieces.slice(0, pieces))
    response.write(isEvents ? eventOf('delta', { audio: toBase64(piece) }) : piece)
}

function speak(asked: SurfaceAsked): undefined {
  beginToSpeak(asked)
  const isEvents = asked.body.stream_format === 'sse'
  asked.response.end(isEvents ? eventOf('done', { usage: soundCount }) : '')
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64')
const eventOf = (name: string, more: Json) =>
  `data: ${JSON.stringify({ type: `speech.audio.${name}`, ...more })}\n\n`

/** A picture of the models whose names begin with `flat` is not counted in tokens. */
function picturesOf(
  { model, n = 1, size = '1024x1024', quality = 'medium' }: Json,
  read = 0,
): Json {
  const data = Array.from({ length: Number(n) }, () => ({ b64_json: toBase64('picture') }))
  if (model.startsWith('flat')) return { created: 1, data }
  return {
    created: 1,
    data,
    size,
    quality,
    output_format: 'png',
    usage: {
      input_tokens: 50 + read,
      input_tokens_details: { text_tokens: 50, image_tokens: read },
      output_tokens: 1_056 * Number(n),
      total_tokens: 50 + read + 1_056 * Number(n),
    },
  }
}

/** The events of a picture in a stream: those that it shows before, and the picture. */
export function eventsOfPicture({ path, body }: SurfaceAsked, read = 0): Json[] {
  const name = path.endsWith('edits') ? 'image_edit' : 'image_generation'
  const { data, created, usage, ...made } = picturesOf(body, read)
  const partials = Array.from({ length: Number(body.partial_images ?? 0) }, (_, at) => ({
    type: `${name}.partial_image`,
    partial_image_index: at,
    b64_json: toBase64(`part ${at}`),
    created_at: created,
    ...made,
  }))
  usage.output_tokens += 100 * partials.length
  return [
    ...partials,
    { type: `${name}.completed`, created_at: created, ...data[0], ...made, usage },
  ]
}

/** Sends these events, and nothing after them. */
export function sendEvents({ response }: SurfaceAsked, events: readonly Json[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const event of events)
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

function draw(asked: SurfaceAsked, read = 0): undefined {
  sendEvents(asked, eventsOfPicture(asked, read))
  asked.response.end()
}

const said = 'Hello there. General Kenobi.'

/** The events of a transcript in a stream. */
export function eventsOfTranscript({ body }: SurfaceAsked): Json[] {
  const { text, usage } = transcriptOf(body)
  return [
    ...['Hello there. ', 'General Kenobi.'].map((delta) => ({
      type: 'transcript.text.delta',
      delta,
    })),
    { type: 'transcript.text.done', text, usage },
  ]
}

function hear(asked: SurfaceAsked): undefined {
  sendEvents(asked, eventsOfTranscript(asked))
  asked.response.write('data: [DONE]\n\n')
  asked.response.end()
}

/** Nine and a half seconds; the models of tokens know no long form. */
function transcriptOf({ model, response_format }: Json): Json {
  if (model === 'gpt-hear')
    return {
      text: said,
      usage: {
        type: 'tokens',
        input_tokens: 110,
        input_token_details: { text_tokens: 10, audio_tokens: 100 },
        output_tokens: 20,
        total_tokens: 130,
      },
    }
  const usage = { type: 'duration', seconds: 9.5 }
  if (response_format !== 'verbose_json') return { text: said, usage }
  return {
    task: 'transcribe',
    language: 'english',
    duration: 9.5,
    text: said,
    segments: [
      { id: 0, start: 0, end: 3.25, text: ' Hello there.' },
      { id: 1, start: 3_723.5, end: 3_725, text: ' General\n\nKenobi --> again.' },
    ],
    usage,
  }
}

function moderationOf({ model, input }: Json): Json {
  const isMessage = Array.isArray(input) && typeof input[0] === 'object'
  const inputs = isMessage || typeof input === 'string' ? [input] : input
  return {
    id: 'modr-1',
    model,
    results: inputs.map((each: Json) => ({
      flagged: JSON.stringify(each).includes('kill'),
      categories: { violence: JSON.stringify(each).includes('kill') },
      category_scores: { violence: 0.5 },
    })),
  }
}

/** The longest document first. Models whose names begin with `jina` count tokens, others searches. */
function rankingOf({ model, documents, top_n }: Json): Json {
  const results = documents
    .map((text: string, index: number) => ({ index, relevance_score: text.length / 100 }))
    .toSorted((a: Json, b: Json) => b.relevance_score - a.relevance_score)
    .slice(0, top_n)
  if (model.startsWith('jina'))
    return { model, object: 'list', usage: { total_tokens: 42 }, results }
  const search_units = Math.ceil(documents.length / 100)
  return {
    id: 'r1',
    results,
    meta: { api_version: { version: '2' }, billed_units: { search_units } },
  }
}
