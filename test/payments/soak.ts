// Makes many calls over both rails while their nodes fail at random, and counts the outcomes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Wallet } from '#test/chains/local-chain.ts'
import { until } from '#test/until.ts'
import { type ChainRail, type PaidGateway, rails } from './paid-gateway.ts'
import { type Headers, present, sign } from './payers.ts'

export interface SoakResult {
  readonly calls: number
  /** The number of calls by final outcome, as the payers saw it. */
  readonly told: Readonly<Record<string, number>>
  readonly faults: number
  readonly seed: number
}

const faultIntervalMs = 120

interface Purchase {
  readonly action: string
  readonly body: unknown
}

/** Whether a call was answered, failed or cost nothing. The books must show the same. */
const purchases: readonly ((call: number) => Purchase)[] = [
  (call) => ({ action: 'test/echo', body: { text: `call ${call}` } }),
  (call) => ({ action: 'test/launch', body: { id: `work-${call}` } }),
  (call) => ({ action: 'test/rows', body: { rows: 20, delivered: call % 21 } }),
  () => ({ action: 'test/fails', body: { code: 'all_blocked' } }),
  (call) => ({ action: 'test/miss', body: { found: call % 2 === 0 } }),
  (call) => ({ action: 'test/capped', body: { costs: call % 26 } }),
  (call) => ({
    action: 'test/job',
    body: { steps: 2, costs: 5, ends: call % 3 === 0 ? 'failed' : 'well' },
  }),
]
const cappedFrom = 5

export async function soak(
  gateway: PaidGateway,
  options: { calls: number; callers: number; seed: number; wallets: readonly Wallet[] },
): Promise<SoakResult> {
  const random = createRandom(options.seed)
  const told: Record<string, number> = {}
  const stop = new AbortController()
  const faults = misbehave(gateway, random, stop.signal)
  let next = 0
  await Promise.all(
    Array.from({ length: options.callers }, async (_, caller) => {
      for (let call = next++; call < options.calls; call = next++) {
        const rail = rails[Math.floor(random() * rails.length)] ?? 'mpp'
        const offered = rail === 'mpp' ? purchases.length : cappedFrom
        const purchase = purchases[Math.floor(random() * offered)]?.(call)
        const wallet = options.wallets[caller % options.wallets.length]
        if (purchase === undefined || wallet === undefined)
          throw new Error('There is no purchase or no wallet.')
        const status = await buyInTheEnd(gateway, rail, purchase, wallet, random)
        told[status] = (told[status] ?? 0) + 1
      }
    }),
  )
  stop.abort()
  return { calls: options.calls, told, faults: await faults, seed: options.seed }
}

/** A client that repeats the same payment for as long as it is told to. */
async function buyInTheEnd(
  gateway: PaidGateway,
  rail: ChainRail,
  { action, body }: Purchase,
  wallet: Wallet,
  random: () => number,
): Promise<string> {
  const payment = await sign(gateway, rail, action, body, { wallet })
  // Some clients send it twice at once.
  const twice = random() < 0.2
  const [first] = await Promise.all([
    comeBack(gateway, action, body, payment),
    ...(twice ? [comeBack(gateway, action, body, payment)] : []),
  ])
  return first
}

async function comeBack(gateway: PaidGateway, action: string, body: unknown, payment: Headers) {
  let told = ''
  const isTold = async () => {
    const { status, body: reply } = await present(gateway, action, body, payment)
    told = `${status} ${reply.error ?? ''}`.trim()
    return status !== 503 && status !== 409
  }
  await until(isTold, { everyMs: 200 }).catch(() => {
    told += ' to the end'
  })
  return told
}

async function misbehave({ till }: PaidGateway, random: () => number, stop: AbortSignal) {
  let faults = 0
  while (!stop.aborted) {
    const node = till.node[random() < 0.5 ? 'x402' : 'mpp']
    const methods = [
      'eth_sendRawTransaction',
      'eth_getTransactionReceipt',
      'eth_call',
      'eth_getBlockByNumber',
    ]
    const method = methods[Math.floor(random() * methods.length)] ?? ''
    const kind = random()
    if (kind < 0.35) node.dropReply(method)
    else if (kind < 0.6) node.dropRequest(method)
    else if (kind < 0.8) node.delay(method, Math.floor(random() * 500))
    else if (kind < 0.95) node.refuse(method, { code: -32_005, message: 'limit exceeded' })
    else {
      node.down()
      await delay(300)
      node.up()
    }
    faults += 1
    await delay(faultIntervalMs)
  }
  for (const rail of rails) till.node[rail].up()
  return faults
}

/** Resolves when no payment is in progress any more. */
export async function settleDown({ database }: PaidGateway): Promise<void> {
  let open: readonly object[] = []
  const isSettled = async () => {
    open = await database.query(
      `select 'payment' as what, id, state from payment where state in ('claimed', 'owed', 'settling')
       union all select 'refund', id, state from refund where state in ('due', 'signed')
       union all select 'call', id, state from call where state = 'held'`,
    )
    return open.length === 0
  }
  await until(isSettled, { everyMs: 200 }).catch((cause) => {
    throw new Error(`They stay open: ${JSON.stringify(open)}`, { cause })
  })
}

/** mulberry32: the same seed gives the same faults. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
