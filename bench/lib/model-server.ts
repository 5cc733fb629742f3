// The servers beside the gateway in `npm run bench llm`: a model that answers at once in the format of each surface,
// and a proxy of the same framework that only passes bytes on. Each runs in its own process.

import { createServer, type Socket } from 'node:net'
import Fastify from 'fastify'
import { Agent } from 'undici'
import { portOf } from '#platform/http/port.ts'
import { type ModelAnswer, modelAnswers, surfacePaths } from './model-answers.ts'

const pacedEvents = 40
const pacedIntervalMs = 10

const head = 'HTTP/1.1 200 OK\r\ncontent-type: '
const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const opened = `${head}text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`

const [what = 'stub', upstream = ''] = process.argv.slice(2)
process.send?.({ url: what === 'stub' ? await startStub() : await startBareProxy(upstream) })
process.on('disconnect', () => process.exit(0))

/** The replies in one format. */
function repliesOf({ whole, first, word, last, words }: ModelAnswer) {
  const pieces = [first, ...Array<string>(words).fill(word), last].map(piece)
  return {
    whole: `${head}application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`,
    burst: opened + pieces.join('') + piece(''),
    pace(socket: Socket) {
      socket.write(opened + piece(first) + piece(word))
      let sent = 1
      const timer = setInterval(() => {
        sent += 1
        if (sent < pacedEvents) return socket.write(piece(word))
        clearInterval(timer)
        // The rest at once: the end of an answer says all of its words.
        return socket.write(pieces.slice(sent).join('') + piece(''))
      }, pacedIntervalMs)
      socket.on('close', () => clearInterval(timer))
    },
  }
}

function startStub(): Promise<string> {
  const replies = (['chat', 'responses', 'messages'] as const).map(
    (surface) => [`POST ${surfacePaths[surface]} `, repliesOf(modelAnswers[surface])] as const,
  )
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
      const reply = replies.find(([begins]) => received.startsWith(begins))?.[1]
      received = ''
      if (reply === undefined) socket.destroy()
      else if (body.includes('"paced"')) reply.pace(socket)
      else socket.write(body.includes('"stream":true') ? reply.burst : reply.whole)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${portOf(server)}`))
  })
}

async function startBareProxy(origin: string): Promise<string> {
  const agent = new Agent({ connections: 1_024, pipelining: 1 })
  const server = Fastify()
  for (const path of Object.values(surfacePaths))
    server.post(path, async (request, reply) => {
      const { statusCode, headers, body } = await agent.request({
        origin,
        path,
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
