// A proxy in front of a node that fails as real networks do: it loses replies, refuses, delays or is unreachable.
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { type Hex, keccak256 } from 'viem'
import { portOf } from '#platform/http/port.ts'

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

type Fault =
  | { readonly does: 'drop reply' }
  | { readonly does: 'drop request' }
  | { readonly does: 'refuse'; readonly error: RpcError }
  | { readonly does: 'delay'; readonly delayMs: number }
  | { readonly does: 'keep silent'; readonly executes: boolean }

type Methods = string | RegExp

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: unknown
}

export interface FaultProxy {
  readonly rpcUrl: string
  /** The requested methods in order, with those of a batch one by one. */
  readonly seen: string[]
  /** The node executes the request, but the connection breaks before its reply. */
  dropReply(methods: Methods, times?: number): void
  /** The connection breaks before the node receives the request. */
  dropRequest(methods: Methods, times?: number): void
  /** Answers a JSON-RPC error instead of the node. */
  refuse(methods: Methods, error?: RpcError, times?: number): void
  delay(methods: Methods, delayMs: number, times?: number): void
  /** The request never reaches the node, and the connection stays open without a reply. */
  swallow(methods: Methods, times?: number): void
  /** The node executes the request, and the connection stays open without a reply. */
  withholdReply(methods: Methods, times?: number): void
  /** The next transaction never reaches the node, and every time it is sent again the answer is `already known`. */
  withhold(): void
  /** Of transactions that are sent from now on. Receipts of earlier ones come at once. */
  delayReceipts(delayMs: number): void
  /** Breaks every connection until `up`. */
  down(): void
  /** Ends `down` and removes the remaining faults. */
  up(): void
  close(): Promise<void>
}

const refusal: RpcError = { code: -32_000, message: 'refused by the test' }

const alreadyKnown: Fault = {
  does: 'refuse',
  error: { code: -32_003, message: 'transaction already imported' },
}

interface Planned {
  readonly call: Call
  readonly fault: Fault | undefined
}

/** The faults that have not happened yet. */
function createFaultPlan() {
  let faults: { methods: Methods; times: number; fault: Fault }[] = []
  let withholding = false
  const withheld = new Set<unknown>()
  let receiptDelayMs: number | undefined
  const slowReceipts = new Set<unknown>()

  function isWithheld({ method, params }: Call): boolean {
    if (method !== 'eth_sendRawTransaction') return false
    const [raw] = params as readonly Hex[]
    if (withholding) withheld.add(raw)
    withholding = false
    if (receiptDelayMs !== undefined && raw !== undefined) slowReceipts.add(keccak256(raw))
    return withheld.has(raw)
  }

  function lateReceipt({ method, params }: Call): Fault | undefined {
    if (receiptDelayMs === undefined || method !== 'eth_getTransactionReceipt') return undefined
    const [hash] = params as readonly unknown[]
    return slowReceipts.has(hash) ? { does: 'delay', delayMs: receiptDelayMs } : undefined
  }

  function take(method: string): Fault | undefined {
    const found = faults.find(
      ({ methods, times }) =>
        times > 0 && (typeof methods === 'string' ? methods === method : methods.test(method)),
    )
    if (found !== undefined) found.times -= 1
    return found?.fault
  }

  return {
    add(methods: Methods, times: number, fault: Fault) {
      faults.push({ methods, times, fault })
    },
    withhold() {
      withholding = true
    },
    delayReceipts(delayMs: number) {
      receiptDelayMs = delayMs
    },
    forget() {
      faults = []
      receiptDelayMs = undefined
    },
    next: (call: Call): Planned => ({
      call,
      fault: isWithheld(call) ? alreadyKnown : (lateReceipt(call) ?? take(call.method)),
    }),
  }
}

async function askNode(nodeUrl: string, calls: readonly Call[]): Promise<object[]> {
  if (calls.length === 0) return []
  const { body } = await request(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  return (await body.json()) as object[]
}

/** The replies to a batch, or what happens to the connection instead. */
async function answer(
  planned: readonly Planned[],
  nodeUrl: string,
): Promise<object[] | 'break' | 'silence'> {
  const silence = planned.flatMap(({ fault }) => (fault?.does === 'keep silent' ? [fault] : []))
  if (silence.some(({ executes }) => !executes)) return 'silence'
  if (planned.some(({ fault }) => fault?.does === 'drop request')) return 'break'
  const forwarded = planned.filter(({ fault }) => fault?.does !== 'refuse')
  for (const { fault } of forwarded) {
    if (fault?.does === 'delay') await delay(fault.delayMs)
  }
  const replies = await askNode(
    nodeUrl,
    forwarded.map(({ call }) => call),
  )
  if (silence.length > 0) return 'silence'
  if (planned.some(({ fault }) => fault?.does === 'drop reply')) return 'break'
  const refusals = planned.flatMap(({ call, fault }) =>
    fault?.does === 'refuse' ? [{ jsonrpc: '2.0', id: call.id, error: fault.error }] : [],
  )
  return [...replies, ...refusals]
}

export async function startFaultProxy(nodeUrl: string): Promise<FaultProxy> {
  const seen: string[] = []
  const plan = createFaultPlan()
  let away = false

  async function respond(text: string, response: ServerResponse): Promise<void> {
    const parsed = JSON.parse(text) as Call | Call[]
    const calls = [parsed].flat()
    seen.push(...calls.map(({ method }) => method))
    const replies = await answer(calls.map(plan.next), nodeUrl)
    if (replies === 'silence') return
    if (replies === 'break' || away) return void response.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(parsed) ? replies : replies[0]))
  }

  const server = createServer((incoming, response) => {
    if (away) return void incoming.socket.destroy()
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      respond(Buffer.concat(chunks).toString(), response).catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    rpcUrl: `http://127.0.0.1:${portOf(server)}`,
    seen,
    dropReply: (methods, times = 1) => plan.add(methods, times, { does: 'drop reply' }),
    dropRequest: (methods, times = 1) => plan.add(methods, times, { does: 'drop request' }),
    refuse: (methods, error = refusal, times = 1) =>
      plan.add(methods, times, { does: 'refuse', error }),
    delay: (methods, delayMs, times = 1) => plan.add(methods, times, { does: 'delay', delayMs }),
    swallow: (methods, times = 1) =>
      plan.add(methods, times, { does: 'keep silent', executes: false }),
    withholdReply: (methods, times = 1) =>
      plan.add(methods, times, { does: 'keep silent', executes: true }),
    withhold: plan.withhold,
    delayReceipts: plan.delayReceipts,
    down() {
      away = true
      server.closeAllConnections()
    },
    up() {
      away = false
      plan.forget()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
