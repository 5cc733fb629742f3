// One address in front of several gateways. Each connection goes to the next one, as at a load balancer that keeps
// nothing about its clients.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AtEnd } from '../database.ts'
import { findFreePort } from './free-port.ts'

export async function openFront(atEnd: AtEnd) {
  const port = await findFreePort()
  const backs: URL[] = []
  const open = new Set<Socket>()
  let next = 0
  const server = createServer((client) => {
    const back = backs[next++ % backs.length]
    if (back === undefined) return void client.destroy()
    const gateway = connect(Number(back.port), back.hostname)
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** Requests go to these from now on. */
    lead: (urls: readonly string[]) => {
      backs.splice(0, backs.length, ...urls.map((url) => new URL(url)))
    },
  }
}
