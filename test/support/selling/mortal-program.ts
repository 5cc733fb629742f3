// A program that a test kills: an MCP server on its standard input and output, or with a PORT an MCP server over HTTP
// and an API beside it. It asks its test over a socket how to answer each request, and ends with this socket.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly arguments?: { readonly text?: string }
  }
}

interface Told {
  readonly seq: number
  /** `answers`, `dies`, `dies halfway`, or `answers and dies`. */
  readonly way: string
  readonly tools: readonly string[]
}

/** Writes an answer, or the half of it, and resolves when the system has it. */
type Write = (text: string, isWhole: boolean) => Promise<void>

const { CONTROL = '', PORT, EVENTS } = process.env
/** A program that was started anew does not know the sessions of the earlier one. */
const session = randomUUID()
const control = connect(CONTROL)
const waiting = new Map<number, (told: Told) => void>()
/** What is sent to a client without being asked. */
let tellClient = (text: string) => void writeSync(1, `${text}\n`)

const tell = (message: object) => control.write(`${JSON.stringify(message)}\n`)
const die = () => process.kill(process.pid, 'SIGKILL')
control.on('close', () => process.exit(0))
createInterface({ input: control }).on('line', (line) => {
  const told = JSON.parse(line)
  if (told.way === undefined) return tellClient(JSON.stringify(told))
  if (told.seq === undefined) return die()
  waiting.get(told.seq)?.(told)
  waiting.delete(told.seq)
})

function ask(method: string, text = ''): Promise<Told> {
  const seq = nextSeq++
  tell({ seq, method, text })
  return new Promise((resolve) => waiting.set(seq, resolve))
}
let nextSeq = 1

async function send(answer: string, way: string, write: Write): Promise<void> {
  if (way === 'dies') return void die()
  const isWhole = way !== 'dies halfway'
  await write(isWhole ? answer : answer.slice(0, answer.length / 2), isWhole)
  if (way !== 'answers') die()
}

const sayAgain = (text: string) => `${text} ${randomUUID()}`

async function resultOf({ method, params }: Message): Promise<{ result: object; way: string }> {
  const asked = ['initialize', 'tools/list', 'tools/call'].includes(method)
  if (!asked) return { result: {}, way: 'answers' }
  const text = params?.arguments?.text ?? ''
  const { way, tools } = await ask(method === 'tools/call' ? 'call' : method, text)
  if (method === 'tools/list') return { result: { tools: tools.map(describeTool) }, way }
  if (method === 'tools/call')
    return { result: { content: [{ type: 'text', text: sayAgain(text) }] }, way }
  const result = {
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'mortal', version: '1' },
  }
  return { result, way }
}

const described = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
const describeTool = (name: string) => ({ name, inputSchema: described })

const description = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Mortal', version: '1' },
  servers: [{ url }],
  paths: {
    '/say': {
      post: {
        operationId: 'say',
        requestBody: { required: true, content: { 'application/json': { schema: described } } },
        responses: {
          200: {
            description: 'It.',
            content: { 'application/json': { schema: { ...described, required: ['text'] } } },
          },
        },
      },
    },
  },
})

function serveStandardInput() {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message: Message = JSON.parse(line)
    if (message.id === undefined) return
    const { result, way } = await resultOf(message)
    const answer = `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`
    await send(answer, way, async (text) => void writeSync(1, text))
  })
}

/** A server that dies after an event leaves its stream without an end. */
const writeTo =
  (response: ServerResponse, isStream = false): Write =>
  (text, isWhole) =>
    new Promise((resolve) => {
      if (isWhole && !isStream) response.end(text, resolve)
      else response.write(text, () => resolve())
    })

const asEvent = (text: string) => `event: message\ndata: ${text}\n\n`

async function answerTools(request: IncomingMessage, body: string, response: ServerResponse) {
  const message: Message | undefined = body === '' ? undefined : JSON.parse(body)
  const given = request.headers['mcp-session-id']
  if (message?.method !== 'initialize' && given !== session)
    return void response.writeHead(404).end()
  if (message === undefined) return openStream(response)
  if (message.id === undefined) return void response.writeHead(202).end()
  const { result, way } = await resultOf(message)
  const isStream = EVENTS !== undefined
  const type = isStream ? 'text/event-stream' : 'application/json'
  if (way !== 'dies') response.writeHead(200, { 'content-type': type, 'mcp-session-id': session })
  const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
  await send(isStream ? asEvent(answer) : answer, way, writeTo(response, isStream))
  if (isStream) response.end()
}

/** On which the client is sent what it has not asked for. */
let stream: ServerResponse | undefined
let unsent: readonly string[] = []

function openStream(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  stream = response
  response.on('close', () => {
    if (stream === response) stream = undefined
  })
  for (const text of unsent) response.write(asEvent(text))
  unsent = []
}

async function serveHttp(port: number) {
  tellClient = (text) => {
    if (stream === undefined) unsent = [...unsent, text]
    else stream.write(asEvent(text))
  }
  const url = `http://127.0.0.1:${port}`
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    if (request.url === '/mcp') return await answerTools(request, body, response)
    const isDescription = request.url === '/openapi.json'
    if (!isDescription && request.url !== '/say') return void response.writeHead(404).end()
    const text = isDescription ? '' : (JSON.parse(body).text as string)
    const { way } = isDescription ? { way: 'answers' } : await ask('call', text)
    const answer = JSON.stringify(isDescription ? description(url) : { text: sayAgain(text) })
    if (way !== 'dies') response.writeHead(200, { 'content-type': 'application/json' })
    await send(answer, way, writeTo(response))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

await once(control, 'connect')
if (PORT === undefined) serveStandardInput()
else await serveHttp(Number(PORT))
tell({ ready: true })
