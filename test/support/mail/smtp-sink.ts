// An operator's mail relay that keeps what it takes, and that refuses or breaks as a test tells it.
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { until } from '#test/until.ts'

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

type Step = 'connect' | 'sender' | 'recipient' | 'mail'

/** How it behaves at one step. `hang up`: the connection ends without a reply. */
export type Fault = {
  readonly at: Step
  readonly reply: string | 'hang up'
  readonly only?: string
}

export interface SmtpSink {
  readonly url: string
  readonly taken: readonly TakenMail[]
  fail(fault: Fault): void
}

export function shareSmtpSink(): () => SmtpSink {
  let taken: TakenMail[] = []
  let fault: Fault | undefined

  /** The error for this step, or undefined; `hang up` destroys the connections. */
  function errorAt(step: Step, address = ''): Error | null {
    if (fault?.at !== step || (fault.only !== undefined && fault.only !== address)) return null
    if (fault.reply === 'hang up') {
      for (const { _socket } of server.connections as Iterable<{ _socket: { destroy(): void } }>)
        _socket.destroy()
      return new Error('gone')
    }
    const [code, ...words] = fault.reply.split(' ')
    return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) })
  }

  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(errorAt('connect')),
    onMailFrom: (_address, _session, done) => done(errorAt('sender')),
    onRcptTo: ({ address }, _session, done) => done(errorAt('recipient', address)),
    onData(stream, { envelope }, done) {
      buffer(stream).then((raw) => {
        const error = errorAt('mail')
        if (error === null)
          taken.push({
            from: envelope.mailFrom ? envelope.mailFrom.address : '',
            to: envelope.rcptTo.map(({ address }) => address),
            raw: raw.toString(),
          })
        done(error)
      }, done)
    },
  })
  server.on('error', () => {})
  beforeAll(async () => {
    const listening = once(server.server, 'listening')
    server.listen(0, '127.0.0.1')
    await listening
  })
  afterEach(() => {
    taken = []
    fault = undefined
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return () => ({
    url: `smtp://127.0.0.1:${portOf(server.server)}`,
    get taken() {
      return taken
    },
    fail(next) {
      fault = next
    },
  })
}

/** The address in a mail, which is awaited: the `count`th to this person. */
export async function linkMailedTo(sink: SmtpSink, address: string, count = 1): Promise<string> {
  const mail = () => sink.taken.filter(({ to }) => to.includes(address))[count - 1]
  await until(async () => mail() !== undefined)
  const text = (mail()?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return /^http:\S+$/m.exec(text)?.[0] ?? ''
}
