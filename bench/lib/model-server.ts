// The servers beside the gateway in `npm run bench llm`: a model that answers at once, and a proxy of the same
// framework that only passes bytes on. Each runs in its own process.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import Fastify from 'fastify'
import { Agent } from 'undici'

const eventsPerStream = 102
const pacedEvents = 40
const pacedIntervalMs = 10

const [what = 'stub', upstream = ''] = process.argv.slice(2)
process.send?.({ url: what === 'stub' ? await startStub() : await startBareProxy(upstream) })
process.on('disconnect', () => process.exit(0))

function startStub(): Promise<string> {
  const chunk = (delta: object, finish: string | null, usage?: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'one', system_fingerprint: 'fp_1', choices: usage === undefined ? [{ index: 0, delta, logprobs: null, finish_reason: finish }] : [], usage: usage ?? null })}\n\n`
  const usage = { prompt_tokens: 200, completion_tokens: 100, total_tokens: 300 }
  const first = chunk({ role: 'assistant', content: '' }, null)
  const word = chunk({ content: ' word' }, null)
  const last = `${chunk({}, 'stop')}${chunk({}, null, usage)}data: [DONE]\n\n`
  const content = 'word '.repeat(140)
  const json = JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'one',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
    system_fingerprint: 'fp_1',
  })
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: '
  const whole = `${head}application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`
  const opened = `${head}text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`
  const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const burst =
    opened + [first, ...Array(eventsPerStream - 4).fill(word), last].map(piece).join('') + piece('')

  const pace = (socket: Socket) => {
    socket.write(opened + piece(first) + piece(word))
    let sent = 1
    const timer = setInterval(() => {
      sent += 1
      if (sent < pacedEvents) return socket.write(piece(word))
      clearInterval(timer)
      return socket.write(piece(last) + piece(''))
    }, pacedIntervalMs)
    socket.on('close', () => clearInterval(timer))
  }
  const server = createServer({ noDelay: true }, (socket) => {
    let received = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('data', (data: string) => {
      received += data
      const end = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (end < 0 || received.length < end + 4 + length) return
      const body = received.slice(end + 4)
      received = ''
      if (body.includes('"paced"')) pace(socket)
      else socket.write(body.includes('"stream":true') ? burst : whole)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

async function startBareProxy(origin: string): Promise<string> {
  const agent = new Agent({ connections: 1_024, pipelining: 1 })
  const server = Fastify()
  server.post('/v1/chat/completions', async (request, reply) => {
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    })
    const { 'content-type': type = '', 'content-length': length } = headers
    reply.code(statusCode).header('content-type', type)
    if (length !== undefined) reply.header('content-length', length)
    return reply.send(body)
  })
  return await server.listen({ port: 0, host: '127.0.0.1' })
}
