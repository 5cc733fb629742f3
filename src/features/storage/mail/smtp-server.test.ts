// Clients that are slow, many or broken. What real clients send is in test/scenarios/mail.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog as log } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { createMailServer } from './smtp-server.ts'

const inbox = { address: 'ada@agents.example', accountId: 'a', keyId: null, displayName: null }
const verdicts = { spf: 'none', dkim: 'none', dmarc: 'none' }

interface Options {
  readonly limits?: { receivedAtOnceBytesMax?: number; connectionTimeoutMs?: number }
  /** Mail is stored once it resolves. */
  readonly storing?: Promise<void>
}

async function startServer({ limits = {}, storing = Promise.resolve() }: Options) {
  const server = createMailServer({
    rows: { hasRoom: async () => true },
    directory: { isLocal: () => true, find: async () => inbox },
    delivery: {
      read: async (raw) => ({ digest: raw, content: {} as never }),
      receive: async () => {
        await storing
        return true
      },
      keepSent: () => Promise.reject(new Error('Nothing is sent.')),
    },
    authenticate: async () => verdicts,
    hostname: 'mx.agents.example',
    tls: undefined,
    log,
    limits,
  })
  const port = await server.listen(0, '127.0.0.1')
  onTestFinished(server.close)
  return () => openSession(port)
}

async function openSession(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const reply = async () => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done || !/^\d{3}-/.test(value)) return value as string
    }
  }
  const ask = async (line: string) => {
    socket.write(`${line}\r\n`)
    return await reply()
  }
  await reply()
  return {
    socket,
    ask,
    async begin() {
      for (const line of ['EHLO example.org', 'MAIL FROM:<b@example.org>'])
        expect(await ask(line)).toMatch(/^250/)
      expect(await ask('RCPT TO:<ada@agents.example>')).toMatch(/^250/)
      expect(await ask('DATA')).toMatch(/^354/)
    },
  }
}

const lines = (count: number) => `${'a'.repeat(98)}\r\n`.repeat(count)

test('a mail that does not fit into memory is put off, and its session goes on', async () => {
  const open = await startServer({ limits: { receivedAtOnceBytesMax: 1_000 } })
  const session = await open()
  await session.begin()
  expect(await session.ask(`${lines(20)}.`)).toMatch(/^451 4\.3\.2 /)
  await session.begin()
  expect(await session.ask(`${lines(9)}.`)).toMatch(/^250 /)
})

test('a mail takes its place in memory until it is stored', async () => {
  const storing = Promise.withResolvers<void>()
  const limits = { receivedAtOnceBytesMax: 1_000 }
  const open = await startServer({ limits, storing: storing.promise })
  const [one, other] = [await open(), await open()]
  await one.begin()
  const first = one.ask(`${lines(6)}.`)
  await other.begin()
  expect(await other.ask(`${lines(6)}.`)).toMatch(/^451 4\.3\.2 /)
  storing.resolve()
  expect(await first).toMatch(/^250 /)
  await other.begin()
  expect(await other.ask(`${lines(6)}.`)).toMatch(/^250 /)
})

test('a connection that breaks within a mail gives its place back', async () => {
  const open = await startServer({ limits: { receivedAtOnceBytesMax: 1_000 } })
  const [broken, other] = [await open(), await open()]
  await broken.begin()
  broken.socket.write(lines(6))
  await other.begin()
  broken.socket.destroy()
  await until(async () => {
    const reply = await other.ask(`${lines(6)}.`)
    await other.begin()
    return reply.startsWith('250')
  })
})

test('a connection that goes on for too long is closed', async () => {
  const open = await startServer({ limits: { connectionTimeoutMs: 50 } })
  const { socket } = await open()
  await once(socket, 'close')
})
