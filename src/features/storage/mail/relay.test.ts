// A relay that goes silent. What it answers is tested in test/scenarios/mail.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { createRelay } from './relay.ts'

const mail = {
  raw: Buffer.from('Subject: Hi\r\n\r\nHi\r\n'),
  from: 'ada@agents.example',
  to: ['bob@example.org'],
}
/** The relay's reply to each command, in order; none from `silentAt` on. */
const steps = ['EHLO', 'MAIL', 'RCPT', 'DATA', '.'] as const
const replies = { EHLO: '250 hello', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on' }

async function startRelay(answer: (socket: Socket, line: string) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 relay.example\r\n')
    createInterface({ input: socket }).on('line', (line) => answer(socket, line))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return `smtp://127.0.0.1:${portOf(server)}`
}

const connectTo = (url: string, limits: { replyTimeoutMs?: number; timeoutMs?: number }) =>
  createRelay({ url, dkim: undefined, hostname: 'mx.agents.example', ...limits })

const commandOf = (line: string) =>
  steps.find((step) => line === step || line.startsWith(`${step} `))

test.each(steps)(
  'silence after %s is a failure without a mail, or uncertain once it was handed over',
  async (silentAt) => {
    const url = await startRelay((socket, line) => {
      const step = commandOf(line)
      if (step !== undefined && step !== silentAt && step !== '.')
        socket.write(`${replies[step]}\r\n`)
    })
    const failure = await connectTo(url, { replyTimeoutMs: 200 })
      .send(mail)
      .catch((thrown) => thrown)
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(failure.data?.reason).toBe(silentAt === '.' ? undefined : 'not_sent')
  },
)

test('a relay that answers the mail with lines without an end leaves it uncertain', async () => {
  const url = await startRelay((socket, line) => {
    const step = commandOf(line)
    if (step !== undefined && step !== '.') return void socket.write(`${replies[step]}\r\n`)
    if (step !== '.') return
    const timer = setInterval(() => socket.write('250-still at work\r\n'), 20)
    socket.once('close', () => clearInterval(timer))
  })
  const failure = await connectTo(url, { timeoutMs: 400 })
    .send(mail)
    .catch((thrown) => thrown)
  expect(failure).toMatchObject({ code: 'upstream_error' })
  expect(failure.data).toBeUndefined()
})

test('a password is not sent to a relay without TLS', async () => {
  const lines: string[] = []
  const url = await startRelay((socket, line) => {
    lines.push(line)
    const step = commandOf(line)
    if (step === 'EHLO') socket.write('250-hello\r\n250 AUTH PLAIN\r\n')
    else socket.write('502 no\r\n')
  })
  const withPassword = url.replace('smtp://', 'smtp://user:secret@')
  await expect(connectTo(withPassword, {}).send(mail)).rejects.toMatchObject({
    data: { reason: 'not_sent' },
  })
  expect(lines.filter((line) => line.startsWith('AUTH'))).toEqual([])
  await expect(connectTo(`${withPassword}?requireTLS=false`, {}).send(mail)).rejects.toThrow()
  expect(lines.filter((line) => line.startsWith('AUTH'))).toHaveLength(1)
})
