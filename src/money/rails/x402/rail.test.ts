// A payment in progress on a real chain: sent and lost transactions, and the final verdict of the chain.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { extractDiscoveryInfo } from '@x402/extensions/bazaar'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'
import { createLocalCounters } from '#platform/replicas/local-counters.ts'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import type { FaultProxy } from '#test/chains/fault-proxy.ts'
import { createStockFacilitator } from '#test/chains/stock-facilitator.ts'
import {
  ChainUnavailable,
  createMemoryNonceLane,
  type Hex,
  type NonceLane,
} from '../../chains/chain.ts'
import { createEvmChain, type EvmChain } from '../../chains/evm.ts'
import type { ChainVerdict, Demand, Rail, SettlingPayment, Verified } from '../rail.ts'
import { createFacilitator, type Facilitator } from './facilitator.ts'
import type { PaymentRequirements } from './payment.ts'
import { createX402Rail } from './rail.ts'
import { signPayment, toHeader } from './sign-payment.fixture.ts'

const available = chainsAvailable()
const micros = 20_000
const price = BigInt(micros)
let chains: Chains
let lane: NonceLane
let door: FaultProxy
let chain: EvmChain
let rail: Rail

const demand: Demand = {
  action: 'a/b',
  path: '/api/run/a/b',
  description: 'A call.',
  micros,
  bodyDigest: 'sha-256=:x:',
  timeoutMs: 30_000,
  discovery: { example: { text: 'hello' }, inputSchema: { type: 'object' } },
}

function openChain(gasKey?: Hex): EvmChain {
  const { x402, wallets } = chains
  return createEvmChain({
    rpcUrl: door.rpcUrl,
    chainId: x402.chainId,
    asset: x402.asset,
    assetName: 'USDC',
    assetVersion: '2',
    gasKey,
    refundKey: wallets.refund.privateKey,
    nonceLane: lane,
    clock: systemClock,
  })
}

function openRail(options: {
  chain: EvmChain
  facilitator?: Facilitator
  payTo?: Hex
  clock?: Clock
}): Rail {
  return createX402Rail({
    clock: systemClock,
    counters: createLocalCounters({ clock: systemClock }),
    assetName: 'USDC',
    assetVersion: '2',
    payTo: chains.wallets.payTo.address,
    baseUrl: () => 'http://gateway.example',
    signInKey: 'a key of the tests',
    ...options,
  })
}

async function pay(
  options: { key?: Hex; nonce?: Hex; on?: Rail; echo?: object } = {},
): Promise<Verified> {
  const on = options.on ?? rail
  const offered = on.offer(demand)
  const { accepts } = JSON.parse(`{${Buffer.from(offered.written ?? []).toString()}}`) as {
    accepts: PaymentRequirements[]
  }
  const { timestampS: nowS } = await chain.head()
  const written = await signPayment({
    key: options.key ?? chains.wallets.payer.privateKey,
    requirements: accepts[0] as PaymentRequirements,
    nowS,
    ...(options.nonce && { authorization: { nonce: options.nonce } }),
  })
  return on.verify(await on.parse(toHeader({ ...written, ...options.echo })), demand, '127.0.0.1')
}

async function prepare(payment: Verified, on = rail): Promise<SettlingPayment> {
  const { credential, expiresAtMs, micros } = payment
  const { raw, hash, signedAtBlock = null } = await on.prepare(credential, micros)
  return { credential, expiresAtMs, micros, raw, hash, signedAtBlock }
}

/** Sends and inspects until the verdict is no longer `pending`, like a settlement. */
async function follow(settling: SettlingPayment, on = rail): Promise<ChainVerdict> {
  for (let tries = 0; tries < 200; tries += 1) {
    await on.send(settling)
    const verdict = await on.inspect(settling)
    if (verdict.state !== 'pending') return verdict
    await delay(10)
  }
  return { state: 'pending' }
}

async function gain(work: () => Promise<unknown>): Promise<bigint> {
  const { payTo } = chains.wallets
  const before = await chains.x402.balanceOf(payTo.address)
  await work()
  return (await chains.x402.balanceOf(payTo.address)) - before
}

async function sendAs(address: Hex, data: Hex): Promise<void> {
  const { rpc, asset, mine } = chains.x402
  await rpc('anvil_impersonateAccount', [address])
  await rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  await rpc('eth_sendTransaction', [{ from: address, to: asset, data }])
  await mine()
}

const cancelAbi = parseAbi([
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

describe.skipIf(!available.ok)(`an x402 payment in progress ${available.reason}`, () => {
  beforeAll(async () => {
    chains = await startChains()
    lane = createMemoryNonceLane()
    door = await chains.x402.proxy()
    chain = openChain(chains.wallets.gas.privateKey)
    rail = openRail({ chain })
  })
  afterAll(async () => {
    await chain?.close()
    await chains?.stop()
  })

  test('moves the price once, even if it is sent repeatedly', async () => {
    const settling = await prepare(await pay())
    const moved = await gain(async () => {
      const settled = { state: 'settled', hash: settling.hash }
      expect(await follow(settling)).toMatchObject(settled)
      expect(await follow(settling)).toMatchObject(settled)
    })
    expect(moved).toBe(price)
  })

  test('is settled even if the reply to the broadcast is lost', async () => {
    const settling = await prepare(await pay())
    door.dropReply('eth_sendRawTransaction')
    const moved = await gain(async () => {
      await expect(rail.send(settling)).rejects.toThrow(ChainUnavailable)
      expect(await follow(settling)).toMatchObject({ state: 'settled' })
    })
    expect(moved).toBe(price)
  })

  test('is pending until it is mined', async () => {
    const settling = await prepare(await pay())
    await chains.x402.automine(false)
    await rail.send(settling)
    expect(await rail.inspect(settling)).toEqual({ state: 'pending' })
    await rail.send(settling)
    await chains.x402.automine(true)
    expect(await follow(settling)).toMatchObject({ state: 'settled' })
  })

  test('is dead when the payer has cancelled it', async () => {
    const { asset, chainId } = chains.x402
    const payment = await pay()
    const settling = await prepare(payment)
    const [, , , from, nonce] = payment.claimKey.split(':') as [string, string, string, Hex, Hex]
    const account = privateKeyToAccount(chains.wallets.payer.privateKey)
    const signature = await account.signTypedData({
      domain: { name: 'USDC', version: '2', chainId, verifyingContract: asset },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: from, nonce },
    })
    const args = [from, nonce, signature] as const
    await sendAs(chains.wallets.otherPayer.address, encodeFunctionData({ abi: cancelAbi, args }))
    expect(await follow(settling)).toMatchObject({ state: 'dead' })
  })

  test('is settled when a stranger has carried it out, and dead when its nonce went to another payment', async () => {
    const payment = await pay()
    const stranger = await prepare(payment)
    const settling = await prepare(payment)
    const moved = await gain(async () => {
      expect(await follow(stranger)).toMatchObject({ state: 'settled' })
      expect(await follow(settling)).toMatchObject({ state: 'settled', hash: stranger.hash })
    })
    expect(moved).toBe(price)

    const elsewhere = openRail({ chain, payTo: chains.wallets.otherPayer.address })
    const honest = await pay()
    const elsewhereSigned = await pay({
      nonce: honest.claimKey.split(':')[4] as Hex,
      on: elsewhere,
    })
    const sooner = await prepare(elsewhereSigned, elsewhere)
    const later = await prepare(honest)
    expect(await follow(sooner, elsewhere)).toMatchObject({ state: 'settled' })
    expect(await follow(later)).toMatchObject({ state: 'dead' })
  })

  test('ends unpaid when the payer has spent the money', async () => {
    const payer = await chains.createPayer(price)
    const settling = await prepare(await pay({ key: payer.privateKey }))
    const args = [chains.wallets.otherPayer.address, 1n] as const
    await sendAs(
      payer.address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    )
    const moved = await gain(async () => {
      await rail.send(settling)
      await chains.x402.mine()
      expect(['pending', 'dead']).toContain((await rail.inspect(settling)).state)
    })
    expect(moved).toBe(0n)
  })

  describe('through a facilitator', () => {
    let server: Server
    let answers: 'truly' | 'as if it had failed' | 'not at all' | 'without settling'
    let asked: string[] = []
    let facilitator: Facilitator
    let through: Rail
    let bodies: string[] = []
    let aheadMs = 0
    /** Set: the clock stands still at this time, `aheadMs` aside. */
    let stoppedAtMs: number | undefined
    const remoteChain = () => openChain()

    beforeAll(async () => {
      const network = `eip155:${chains.x402.chainId}` as const
      const reference = createStockFacilitator(chains.x402, chains.wallets.otherPayer)
      const failure = { success: false, errorReason: 'unexpected_settle_error', transaction: '' }
      const answer = async (url: string, body: string): Promise<object | undefined> => {
        if (url === '/x402/supported') return reference.getSupported()
        const { paymentPayload, paymentRequirements } = JSON.parse(body)
        if (url === '/x402/verify') return reference.verify(paymentPayload, paymentRequirements)
        if (answers === 'without settling') return failure
        const settled = await reference.settle(paymentPayload, paymentRequirements)
        if (answers === 'not at all') return undefined
        return answers === 'truly' ? settled : failure
      }
      server = createServer(async (incoming, response) => {
        const { url = '', headers } = incoming
        asked.push(`${incoming.method} ${url} ${headers.authorization ?? ''}`)
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk as Buffer)
        bodies.push(Buffer.concat(chunks).toString())
        const reply = await answer(url, Buffer.concat(chunks).toString())
        if (reply === undefined) response.destroy()
        else response.end(JSON.stringify(reply))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      facilitator = createFacilitator({
        facilitatorUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x402/`,
        apiKey: 'a-key',
        network,
      })
      const clock = { ...systemClock, now: () => (stoppedAtMs ?? systemClock.now()) + aheadMs }
      through = openRail({ chain: remoteChain(), facilitator, clock })
    })
    afterAll(async () => {
      await facilitator?.close()
      server?.close()
    })
    beforeEach(() => {
      answers = 'truly'
      asked = []
      bodies = []
      aheadMs = 0
      stoppedAtMs = undefined
    })

    test('is settled without a gas key, and the facilitator’s API key is sent', async () => {
      const settling = await prepare(await pay({ on: through }), through)
      const moved = await gain(async () => {
        expect(await follow(settling, through)).toMatchObject({ state: 'settled' })
      })
      expect(moved).toBe(price)
      expect(asked).toEqual(['POST /x402/settle Bearer a-key'])
    })

    test.each(['as if it had failed', 'not at all'] as const)(
      'is settled when the facilitator answers %s after it settled',
      async (how) => {
        const settling = await prepare(await pay({ on: through }), through)
        answers = how
        const moved = await gain(async () => {
          expect(await follow(settling, through)).toMatchObject({ state: 'settled' })
        })
        expect(moved).toBe(price)
      },
    )

    test('is pending when the facilitator failed, and settled when it is asked again', async () => {
      const settling = await prepare(await pay({ on: through }), through)
      answers = 'without settling'
      await through.send(settling)
      expect(await through.inspect(settling)).toEqual({ state: 'pending' })
      answers = 'truly'
      aheadMs = 10_000
      expect(await follow(settling, through)).toMatchObject({ state: 'settled' })
    })

    test('is posted once, and again after ten, twenty and forty seconds while the chain does not show it', async () => {
      const settling = await prepare(await pay({ on: through }), through)
      answers = 'without settling'
      stoppedAtMs = systemClock.now()
      for (const [second, posts] of [
        [0, 1],
        [9.9, 1],
        [10, 2],
        [29.9, 2],
        [30, 3],
        [69.9, 3],
      ] as const) {
        aheadMs = second * 1_000
        for (let times = 0; times < 5; times += 1) await through.send(settling)
        expect([second, asked.length]).toEqual([second, posts])
      }
    })

    test('a catalog lists what this gateway sells, even when the payer echoes something else', async () => {
      const payment = await pay({
        on: through,
        echo: { resource: { url: 'https://evil.example' } },
      })
      const settling = await prepare(payment, through)
      expect(await follow(settling, through)).toMatchObject({ state: 'settled' })
      const { paymentPayload, paymentRequirements } = JSON.parse(bodies.at(-1) ?? '')
      expect(paymentPayload.resource).toEqual({
        url: `http://gateway.example${demand.path}`,
        description: demand.description,
        mimeType: 'application/json',
      })
      const listed = extractDiscoveryInfo(paymentPayload, paymentRequirements)
      expect(listed).toMatchObject({
        resourceUrl: `http://gateway.example${demand.path}`,
        discoveryInfo: { input: { type: 'http', method: 'POST' } },
      })
      expect(JSON.stringify(paymentPayload)).not.toContain('challengeId')
    })

    test('answers are read as settled, refused and unknown', async () => {
      const { parsePaymentSignature } = await import('./payment.ts')
      const parsed = parsePaymentSignature((await pay({ on: through })).credential)
      if (!parsed.ok) throw new Error('not parsed')
      expect(await facilitator.verify(parsed.payment)).toEqual({ outcome: 'valid' })
      answers = 'without settling'
      expect(await facilitator.settle(parsed.payment)).toEqual({
        outcome: 'refused',
        reason: 'unexpected_settle_error',
      })
      answers = 'not at all'
      const unknown = await facilitator.settle(parsed.payment)
      expect(unknown.outcome).toBe('unknown')
      expect(JSON.stringify(unknown)).not.toMatch(/127\.0\.0\.1|a-key/)
      expect(await facilitator.verify(parsed.payment)).toMatchObject({ outcome: 'refused' })
    })

    test('the self-check requires that the facilitator settles on the network', async () => {
      expect(await facilitator.selfCheck()).toEqual({ problems: [], warnings: [] })
      const { port } = server.address() as AddressInfo
      const elsewhere = createFacilitator({
        facilitatorUrl: `http://127.0.0.1:${port}/x402`,
        network: 'eip155:8453',
      })
      onTestFinished(elsewhere.close)
      expect((await elsewhere.selfCheck()).problems).toEqual([
        'The facilitator does not settle "exact" payments on eip155:8453.',
      ])
      const nowhere = createFacilitator({
        facilitatorUrl: 'http://127.0.0.1:1/secret-path',
        network: 'eip155:8453',
      })
      onTestFinished(nowhere.close)
      expect((await nowhere.selfCheck()).problems).toEqual([
        'The facilitator gave no answer to /supported (ECONNREFUSED).',
      ])
    })
  })

  test('is dead once it has expired on the chain and nothing was sent', async () => {
    const settling = await prepare(await pay())
    expect(await rail.inspect(settling)).toEqual({ state: 'pending' })
    await chains.x402.increaseTime(200)
    expect(await rail.inspect(settling)).toMatchObject({ state: 'dead' })
  })
})
