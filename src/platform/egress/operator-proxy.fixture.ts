// An HTTP proxy like those of vendors: CONNECT only, with user name and password, and with failures on request.
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { portOf } from '../http/port.ts'
import { type OperatorProxy, readOperatorProxy } from './operator-proxies.ts'

export interface FakeProxy {
  readonly proxy: OperatorProxy
  /** The address in the operator's settings. */
  readonly address: string
  /** Requested targets as `host:port`, including refused ones. */
  readonly asked: string[]
  /** Failures for the next requests: a status, a dropped connection, or no answer. */
  readonly moods: (number | 'drop' | 'hang')[]
  /** For each request: how many were waiting at that time, including itself. */
  readonly crowds: number[]
  close(): Promise<void>
}

const user = 'operator'
const password = 'p@ss:word'

/**
 * Every name leads to loopback, at the port `leadsTo` if set. The first `together` requests are answered together, when
 *  the last of them has arrived.
 */
export async function serveProxy(
  options: { readonly leadsTo?: number; readonly together?: number } = {},
): Promise<FakeProxy> {
  const asked: string[] = []
  const moods: (number | 'drop' | 'hang')[] = []
  const sockets = new Set<Socket>()
  const { together = 1 } = options
  const waiting: (() => void)[] = []
  const crowds: number[] = []
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const server = createServer((_incoming, response) => void response.writeHead(405).end())

  function answer(incoming: IncomingMessage, client: Socket) {
    const mood = moods.shift()
    if (mood === 'drop') return client.destroy()
    if (mood === 'hang') return
    const authorized = incoming.headers['proxy-authorization'] === expected
    const status = authorized ? (mood ?? 200) : 407
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const target = connect(options.leadsTo ?? Number(incoming.url?.split(':').at(-1)), '127.0.0.1')
    sockets.add(target)
    target.on('error', () => client.destroy())
    client.pipe(target).pipe(client)
  }

  server.on('connect', (incoming: IncomingMessage, client: Socket) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    asked.push(incoming.url ?? '')
    waiting.push(() => answer(incoming, client))
    crowds.push(waiting.length)
    if (asked.length < together) return
    // Long enough for a second request to arrive, if a caller sends two at a time.
    setTimeout(() => {
      for (const next of waiting.splice(0)) next()
    }, 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  const address = `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`
  return {
    proxy: readOperatorProxy(address),
    address,
    asked,
    moods,
    crowds,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
