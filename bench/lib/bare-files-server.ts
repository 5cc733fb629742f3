// Bare Fastify streams to and from files, in a process of its own. `?sync` makes the bytes durable before the answer.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'

const [directory = ''] = process.argv.slice(2)
const file = path.join(directory, 'bare')
const server = Fastify({ bodyLimit: 1e9 })
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', (_request, body, done) => done(null, body))
server.put<{ Querystring: { sync?: string } }>('/file', async (request) => {
  await pipeline(request.body as Readable, createWriteStream(file))
  if (request.query.sync === undefined) return {}
  const handle = await open(file)
  await handle.sync()
  await handle.close()
  return {}
})
server.get('/file', async (_request, reply) => {
  reply.header('content-length', (await stat(file)).size)
  return reply.send(createReadStream(file))
})
process.send?.({ url: await server.listen({ port: 0, host: '127.0.0.1' }) })
process.on('disconnect', () => process.exit(0))
