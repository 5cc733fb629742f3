// A paid endpoint of a vendor: it answers the vendor's requests with the vendor's reply once they are paid for. Its
// till is a gateway that is paid on real chains. The test decides what the server in front of the till does wrong.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from '#test/database.ts'
import type { ChainRail, Till } from './paid-gateway.ts'

/**
 * What it does once it is paid. `keeps quiet` and `loses its reply` happen after the money has moved, `hangs up`
 * before.
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
  /** The requests that carried a payment. */
  readonly paid: readonly string[]
  /** The requests without one. */
  readonly asked: readonly string[]
  manner: Manner
  /** The vendor's reply. */
  body: object
  /** Resolves when the till has taken this many payments. */
  taken(payments: number): Promise<void>
  /** Makes it as new, except for its reply. */
  reset(): void
  close(): Promise<void>
}

const paymentHeaders: Readonly<Record<ChainRail, readonly [asks: string, pays: string]>> = {
  x402: ['payment-required', 'payment-signature'],
  mpp: ['www-authenticate', 'authorization'],
}

export async function startStubSeller(
  till: { readonly url: string; readonly till: Till },
  options: { rails: readonly ChainRail[]; body: object },
  atEnd: AtEnd = onTestFinished,
): Promise<StubSeller> {
  const paid: string[] = []
  const asked: string[] = []
  let payments = createCounter()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { said, credentials } = await readRequest(request)
    const pays = Object.keys(credentials).length > 0
    ;(pays ? paid : asked).push(said)
    if (pays && seller.manner === 'hangs up') return void response.destroy()
    const reply = await askTill(till.url, said, credentials)
    if (reply.status === 402) return challenge(reply, response)
    if (reply.status !== 200) throw new Error(`The till answered ${reply.status}.`)
    payments.increment()
    if (seller.manner === 'asks again') challenge(await askTill(till.url, said, {}), response)
    else deliver(reply, response, seller.manner, seller.body)
  }

  function challenge(reply: Response, response: ServerResponse) {
    for (const rail of options.rails) {
      const [name] = paymentHeaders[rail]
      response.setHeader(name, reply.headers.get(name) ?? '')
    }
    response.writeHead(402, { 'content-type': 'application/json' }).end('{}')
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(599).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const seller: StubSeller = {
    url: `http://127.0.0.1:${portOf(server)}`,
    paid,
    asked,
    manner: 'delivers',
    body: options.body,
    taken: (goal) => payments.reaches(goal),
    reset() {
      seller.manner = 'delivers'
      paid.length = 0
      asked.length = 0
      payments = createCounter()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  atEnd(seller.close)
  return seller
}

/** The request as one line, for which the payment is made, and its payment headers. */
async function readRequest(request: IncomingMessage) {
  let body = ''
  for await (const chunk of request) body += chunk
  const credentials = Object.fromEntries(
    Object.values(paymentHeaders).flatMap(([, name]) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  return { said: `${request.method} ${request.url} ${body}`, credentials }
}

/** A challenge of the till is valid for the line that it was asked with. */
async function askTill(url: string, said: string, headers: Record<string, string>) {
  const reply = await fetch(`${url}/api/run/test/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ text: said }),
  })
  await reply.arrayBuffer()
  return reply
}

/** What a seller does once it is paid, except for asking again. */
function deliver(reply: Response, response: ServerResponse, manner: Manner, body: object): void {
  if (manner === 'keeps quiet') return
  if (manner === 'loses its reply') return void response.destroy()
  if (manner === 'breaks') return void response.writeHead(500).end('{"error":"broken"}')
  for (const name of ['payment-receipt', 'payment-response']) {
    const value = reply.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  const more = manner === 'claims more' ? { price: 9, amount: '9000000', cost: 9 } : {}
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...body, ...more }))
}

function createCounter() {
  let count = 0
  let waiters: { goal: number; resolve: () => void }[] = []
  return {
    increment() {
      count += 1
      for (const { goal, resolve } of waiters) if (count >= goal) resolve()
      waiters = waiters.filter(({ goal }) => count < goal)
    },
    reaches: (goal: number): Promise<void> =>
      count >= goal ? Promise.resolve() : new Promise((resolve) => waiters.push({ goal, resolve })),
  }
}

/** The settings of a gateway that buys with its own wallet on the chains of the seller's till. */
export const buyerSettings = (key: string, { till }: { readonly till: Till }) => ({
  UPSTREAM_WALLET_KEY: key,
  X402_NETWORK: till.env.X402_NETWORK ?? '',
  MPP_RPC_URL: till.env.MPP_RPC_URL ?? '',
  MPP_CHAIN_ID: till.env.MPP_CHAIN_ID ?? '',
  MPP_CURRENCY: till.env.MPP_CURRENCY ?? '',
})
