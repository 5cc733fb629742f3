// The SMTP server that receives mail for inboxes. It refuses mail for other domains, so it cannot be used as a relay.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Log } from '#core/ports.ts'
import { portOf } from '#platform/http/port.ts'
import type { CheckSender } from './authentication.ts'
import type { MailDelivery } from './delivery.ts'
import type { Directory } from './directory.ts'
import {
  closeTimeoutMs,
  connectionsMax,
  connectionsPerAddressMax,
  connectionTimeoutMs,
  idleTimeoutMs,
  mailBytesMax,
  receivedAtOnceBytesMax,
  recipientsMax,
} from './limits.ts'
import type { Inbox, MailRows } from './mail-rows.ts'
import { UnreadableMail } from './unreadable-mail.ts'

export interface MailServer {
  /** Resolves to the port. */
  listen(port: number, host: string): Promise<number>
  close(): Promise<void>
}

interface Dependencies {
  readonly rows: Pick<MailRows, 'hasRoom'>
  readonly directory: Directory
  readonly delivery: MailDelivery
  readonly authenticate: CheckSender
  readonly hostname: string
  /** PEM texts for STARTTLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly log: Log
  /** In place of those in force. */
  readonly limits?: { receivedAtOnceBytesMax?: number; connectionTimeoutMs?: number }
}

/** A reply to the sender. */
class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

export function createMailServer(dependencies: Dependencies): MailServer {
  const { hostname, tls, log } = dependencies
  const connections = countConnections()
  const limits = { receivedAtOnceBytesMax, connectionTimeoutMs, ...dependencies.limits }
  const room = createRoom(limits.receivedAtOnceBytesMax)
  const server = new SMTPServer({
    ...tls,
    name: hostname,
    banner: 'Tollway',
    size: mailBytesMax,
    rejectOversized: true,
    maxClients: connectionsMax,
    socketTimeout: idleTimeoutMs,
    closeTimeout: closeTimeoutMs,
    // A lookup of each client's name would delay its mail.
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: tls === undefined ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    onConnect: (session, done) => done(connections.open(session)),
    onClose: (session) => connections.close(session),
    onRcptTo: ({ address }, session, done) =>
      answer(done, () => admit(dependencies, address, session)),
    onData: (stream, session, done) =>
      answer(done, () => receive({ ...dependencies, room }, stream, session)),
  })
  // A client that sends a little now and then would otherwise stay for ever.
  server.server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), limits.connectionTimeoutMs)
    socket.once('close', () => clearTimeout(timer))
  })
  server.on('error', (error) => log.debug({ err: error }, 'A connection for mail broke.'))

  function answer(done: (error?: Error | null) => void, work: () => Promise<void>) {
    work().then(
      () => done(),
      (thrown: unknown) => {
        if (thrown instanceof Refusal) return done(thrown)
        log.error({ err: thrown }, 'Mail could not be stored. Its sender will send it again.')
        done(new Refusal(451, '4.3.0 The mail cannot be stored now. Send it again later.'))
      },
    )
  }

  return {
    async listen(port, host) {
      const listening = once(server.server, 'listening')
      server.listen(port, host)
      await listening
      return portOf(server.server)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Limits the connections of one address. */
function countConnections() {
  const counts = new Map<string, number>()
  return {
    open({ remoteAddress }: SMTPServerSession) {
      const count = (counts.get(remoteAddress) ?? 0) + 1
      counts.set(remoteAddress, count)
      return count <= connectionsPerAddressMax
        ? null
        : new Refusal(421, '4.7.0 Too many connections from your address.')
    },
    close({ remoteAddress }: SMTPServerSession) {
      const count = (counts.get(remoteAddress) ?? 0) - 1
      if (count > 0) counts.set(remoteAddress, count)
      else counts.delete(remoteAddress)
    },
  }
}

/** Bytes in memory. */
interface Room {
  /** False, without any change, when they do not fit. */
  take(bytes: number): boolean
  give(bytes: number): void
}

function createRoom(bytesMax: number): Room {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > bytesMax) return false
      taken += bytes
      return true
    },
    give(bytes) {
      taken -= bytes
    },
  }
}

/** Refuses a recipient by throwing. */
async function admit(
  { rows, directory }: Dependencies,
  address: string,
  { envelope }: SMTPServerSession,
): Promise<void> {
  if (envelope.rcptTo.length >= recipientsMax)
    throw new Refusal(452, '4.5.3 Too many recipients. Send the mail to the others separately.')
  if (!directory.isLocal(address))
    throw new Refusal(550, '5.7.1 This server takes no mail for this domain.')
  const inbox = await directory.find(address)
  if (inbox === undefined) throw new Refusal(550, '5.1.1 There is no such inbox.')
  if (!(await rows.hasRoom(inbox, 0))) throw new Refusal(452, '4.2.2 The inbox is full.')
}

/** The mail is on the disk when it resolves: only then the sender may forget it. */
async function receive(
  { room, ...dependencies }: Dependencies & { readonly room: Room },
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const held = { bytes: 0 }
  try {
    const raw = await readMail(stream, room, held)
    // The server refuses it by itself.
    if (raw === undefined) return
    await store(dependencies, raw, session)
  } finally {
    room.give(held.bytes)
  }
}

async function store(
  { directory, delivery, authenticate }: Dependencies,
  raw: Buffer,
  session: SMTPServerSession,
): Promise<void> {
  const mail = await delivery.read(raw, session.remoteAddress).catch((thrown: unknown) => {
    if (!(thrown instanceof UnreadableMail)) throw thrown
    throw new Refusal(554, `5.6.0 ${thrown.message}`)
  })
  const { mailFrom, rcptTo } = session.envelope
  const authentication = await authenticate(raw, {
    sender: mailFrom ? mailFrom.address : '',
    ip: session.remoteAddress,
    helo: session.hostNameAppearsAs || session.remoteAddress,
  })
  const addresses = new Set(rcptTo.map(({ address }) => address.toLowerCase()))
  for (const address of addresses) {
    const inbox = (await directory.find(address)) as Inbox
    // The sender repeats the mail to all recipients; those that have it keep one.
    if (!(await delivery.receive(inbox, mail, authentication)))
      throw new Refusal(452, '4.2.2 The inbox is full.')
  }
}

/** Undefined for a mail above the limit. The bytes of a mail that is refused are dropped as they come. */
async function readMail(
  stream: SMTPServerDataStream,
  room: Room,
  held: { bytes: number },
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let isRefused = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const hasRoom: boolean = !stream.sizeExceeded && !isRefused && room.take(chunk.length)
    isRefused ||= !hasRoom
    if (hasRoom) {
      held.bytes += chunk.length
      chunks.push(chunk)
      continue
    }
    chunks.length = 0
    room.give(held.bytes)
    held.bytes = 0
  }
  if (stream.sizeExceeded) return undefined
  if (isRefused) throw new Refusal(451, '4.3.2 The server is busy. Send the mail again later.')
  return Buffer.concat(chunks)
}
