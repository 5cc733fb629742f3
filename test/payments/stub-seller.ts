// A seller as a vendor's twin is one: it answers the vendor's requests with what the vendor says, once they are paid for.
// Its till is a gateway that is paid on the real chains; what the door in front of it does wrong is up to the test.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ChainRail, Till } from './paid-gateway.ts'

/**
 * What it does once it is paid. `keeps quiet` and `loses its reply` come after the money has moved, `hangs up` before.
 */
type Manner =
  | 'delivers'
  | 'asks again'
  | 'breaks'
  | 'claims more'
  | 'hangs up'
  | 'keeps quiet'
  | 'loses its reply'

export interface StubSeller {
  readonly url: string
  /** The requests that carried a payment, by what was asked. */
  readonly paid: readonly string[]
  /** The requests without one. */
  readonly asked: readonly string[]
  manner: Manner
  /** Resolves when the till has taken so many payments. */
  taken(payments: number): Promise<void>
  close(): Promise<void>
}

const paymentHeaders: Readonly<Record<ChainRail, readonly [asks: string, pays: string]>> = {
  x402: ['payment-required', 'payment-signature'],
  mpp: ['www-authenticate', 'authorization'],
}

export async function startStubSeller(
  till: { readonly url: string; readonly till: Till },
  options: { rails: readonly ChainRail[]; body: object },
): Promise<StubSeller> {
  const paid: string[] = []
  const asked: string[] = []
  let taken = 0
  let waiters: { payments: number; resolve: () => void }[] = []

  async function askTill(said: string, headers: Record<string, string>) {
    const reply = await fetch(`${till.url}/api/run/test/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      // The request is what the challenge is good for.
      body: JSON.stringify({ text: said }),
    })
    await reply.arrayBuffer()
    return reply
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request) text += chunk
    const said = `${request.method} ${request.url} ${text}`
    const headers = Object.fromEntries(
      Object.values(paymentHeaders).flatMap(([, name]) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const pays = Object.keys(headers).length > 0
    ;(pays ? paid : asked).push(said)
    if (pays && seller.manner === 'hangs up') return void response.destroy()
    const reply = await askTill(said, headers)
    if (reply.status === 402) return demand(reply, response)
    if (reply.status !== 200) throw new Error(`The till answered ${reply.status}.`)
    taken += 1
    waiters = waiters.filter(({ payments, resolve }) => (taken >= payments ? void resolve() : true))
    await deliver(said, reply, response)
  }

  function demand(reply: Response, response: ServerResponse) {
    for (const rail of options.rails) {
      const [name] = paymentHeaders[rail]
      response.setHeader(name, reply.headers.get(name) ?? '')
    }
    response.writeHead(402, { 'content-type': 'application/json' }).end('{}')
  }

  async function deliver(said: string, reply: Response, response: ServerResponse) {
    const { manner } = seller
    if (manner === 'keeps quiet') return
    if (manner === 'loses its reply') return void response.destroy()
    if (manner === 'asks again') return demand(await askTill(said, {}), response)
    if (manner === 'breaks') return void response.writeHead(500).end('{"error":"broken"}')
    for (const name of ['payment-receipt', 'payment-response']) {
      const value = reply.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    const more = manner === 'claims more' ? { price: 9, amount: '9000000', cost: 9 } : {}
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...options.body, ...more }))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(599).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const seller: StubSeller = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    asked,
    manner: 'delivers',
    taken: (payments) =>
      taken >= payments
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push({ payments, resolve })),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  onTestFinished(seller.close)
  return seller
}

/** What a gateway must be told to buy with a wallet of its own, on the chains of the seller's till. */
export const buyerSettings = (key: string, { till }: { readonly till: Till }) => ({
  UPSTREAM_WALLET_KEY: key,
  X402_NETWORK: till.env.X402_NETWORK ?? '',
  MPP_RPC_URL: till.env.MPP_RPC_URL ?? '',
  MPP_CHAIN_ID: till.env.MPP_CHAIN_ID ?? '',
  MPP_CURRENCY: till.env.MPP_CURRENCY ?? '',
})
