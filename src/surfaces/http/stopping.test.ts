import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { endIdleWhileStopping } from './stopping.ts'

test('an answer that ends while the server stops does not hold it up, though its client keeps the connection', async () => {
  const server = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  endIdleWhileStopping(server)
  const begun = Promise.withResolvers<() => void>()
  server.get('/', (_, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': '4' }).write('be')
    begun.resolve(() => reply.raw.end('gu'))
  })
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const client = connect(Number(address.port), address.hostname)
  onTestFinished(() => void client.destroy())
  const received: string[] = []
  client.setEncoding('utf8').on('data', (text) => received.push(String(text)))
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const end = await begun.promise
  const closed = server.close()
  const ended = once(client, 'end')
  // Node has looked for idle connections by now.
  setImmediate(() => setImmediate(end))
  await Promise.all([closed, ended])
  expect(received.join('')).toMatch(/begu$/)
})
