// An HTTP proxy as vendors run them: CONNECT only, with a user name and a password, and with moods.
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type OperatorProxy, readOperatorProxy } from './operator-proxies.ts'

export interface FakeProxy {
  readonly proxy: OperatorProxy
  /** As the operator writes it. */
  readonly address: string
  /** What it was asked for, as `host:port`; those that it refused included. */
  readonly asked: string[]
  /** What it answers to the next requests, before it is in a good mood again: a status, nothing but a closed door, or nothing at all. */
  readonly moods: (number | 'drop' | 'hang')[]
  /** How many were waiting for its answer as each came, that one included. */
  readonly crowds: number[]
  close(): Promise<void>
}

const user = 'operator'
const password = 'p@ss:word'

/** Every name leads to loopback, and to the port `leadsTo`: a site may show itself otherwise to those who come this way. */
export async function serveProxy(
  options: { readonly leadsTo?: number; readonly answerMs?: number } = {},
): Promise<FakeProxy> {
  const asked: string[] = []
  const moods: (number | 'drop' | 'hang')[] = []
  const sockets = new Set<Socket>()
  let open = 0
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
    open += 1
    crowds.push(open)
    setTimeout(() => {
      open -= 1
      answer(incoming, client)
    }, options.answerMs ?? 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
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
