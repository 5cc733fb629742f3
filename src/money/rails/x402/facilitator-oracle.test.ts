// Compares the gateway's verdicts with those of the protocol's reference facilitator, for the same payments on the same
// chain.
import fc from 'fast-check'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import { createStockFacilitator } from '#test/chains/stock-facilitator.ts'
import { createMemoryNonceLane, type Hex } from '../../chains/chain.ts'
import { createEvmChain, type EvmChain } from '../../chains/evm.ts'
import { type PaymentRequirements, parsePaymentSignature } from './payment.ts'
import { signPayment, toHeader, type WrittenPayment } from './sign-payment.fixture.ts'
import { verifyPayment } from './verify.ts'

const available = chainsAvailable()
const strangerKey = generatePrivateKey()
const elsewhere: Hex = '0x00000000000000000000000000000000000000bb'

type Signing = Parameters<typeof signPayment>[0]

/** Changes before and after the signature of a payment. */
interface Case {
  readonly signing: (now: number, requirements: PaymentRequirements) => Partial<Signing>
  readonly afterwards?: (payment: WrittenPayment) => void
}

const cases: Record<string, Case> = {
  untouched: { signing: () => ({}) },
  'sooner to end': {
    signing: (now) => ({ authorization: { validBefore: BigInt(now + 30) } }),
  },
  'valid since long ago': {
    signing: (now) => ({ authorization: { validAfter: BigInt(now - 600) } }),
  },
  'one unit less': { signing: () => ({ authorization: { value: 19_999n } }) },
  'one unit more': { signing: () => ({ authorization: { value: 20_001n } }) },
  'to another payee': { signing: () => ({ authorization: { to: elsewhere } }) },
  past: { signing: (now) => ({ authorization: { validBefore: BigInt(now - 1) } }) },
  'about to end': { signing: (now) => ({ authorization: { validBefore: BigInt(now + 2) } }) },
  'of the future': { signing: (now) => ({ authorization: { validAfter: BigInt(now + 300) } }) },
  'on another chain': { signing: () => ({ domain: { chainId: 8453 } }) },
  'in another token': { signing: () => ({ domain: { verifyingContract: elsewhere } }) },
  'under another name': { signing: () => ({ domain: { name: 'USD Coin' } }) },
  'by a stranger for the payer': {
    signing: () => ({ key: strangerKey }),
    afterwards: (payment) => {
      payment.payload.authorization.from = payerAddress
    },
  },
  'without the money': { signing: () => ({ key: strangerKey }) },
  'with another nonce': {
    signing: () => ({}),
    afterwards: (payment) => {
      payment.payload.authorization.nonce = `0x${'ab'.repeat(32)}`
    },
  },
  'with a bit of the signature changed': {
    signing: () => ({}),
    afterwards: (payment) => {
      const { signature } = payment.payload
      const flipped = (Number.parseInt(signature.charAt(20), 16) ^ 1).toString(16)
      payment.payload.signature = `${signature.slice(0, 20)}${flipped}${signature.slice(21)}` as Hex
    },
  },
  'with a short signature': {
    signing: () => ({}),
    afterwards: (payment) => {
      payment.payload.signature = payment.payload.signature.slice(0, -2) as Hex
    },
  },
}

let payerAddress: Hex
let chains: Chains
let chain: EvmChain

describe.skipIf(!available.ok)(`the reference facilitator ${available.reason}`, () => {
  beforeAll(async () => {
    chains = await startChains()
    payerAddress = chains.wallets.payer.address
    chain = createEvmChain({
      rpcUrl: chains.x402.rpcUrl,
      chainId: chains.x402.chainId,
      asset: chains.x402.asset,
      assetName: 'USDC',
      assetVersion: '2',
      gasKey: chains.wallets.gas.privateKey,
      nonceLane: createMemoryNonceLane(),
      clock: systemClock,
    })
  })
  afterAll(async () => {
    await chain?.close()
    await chains?.stop()
  })

  test('agrees with the gateway on every payment, valid or not', async () => {
    const { x402, wallets } = chains
    const requirements: PaymentRequirements = {
      scheme: 'exact',
      network: `eip155:${x402.chainId}`,
      amount: '20000',
      asset: x402.asset,
      payTo: wallets.payTo.address,
      maxTimeoutSeconds: 90,
      extra: { name: 'USDC', version: '2' },
    }
    const facilitator = createStockFacilitator(x402, wallets.gas)

    async function weSay(payment: WrittenPayment): Promise<boolean> {
      const parsed = parsePaymentSignature(toHeader(payment))
      if (!parsed.ok) return false
      const verified = await verifyPayment(parsed.payment, {
        requirements: [requirements],
        nowS: Math.floor(Date.now() / 1_000),
        isValidSignature: chain.isValidSignature,
      })
      return verified.ok && (await chain.simulateTransferWithAuthorization(verified.signed)).ok
    }

    async function agree(name: string): Promise<void> {
      const { signing, afterwards } = cases[name] as Case
      const nowS = Math.floor(Date.now() / 1_000)
      const payment = await signPayment({
        key: wallets.payer.privateKey,
        requirements,
        nowS,
        ...signing(nowS, requirements),
      })
      afterwards?.(payment)
      const ours = await weSay(payment)
      const theirs = await facilitator
        .verify(structuredClone(payment) as never, requirements as never)
        .then(
          ({ isValid }) => isValid,
          () => false,
        )
      expect([name, ours]).toEqual([name, theirs])
    }

    for (const name of Object.keys(cases)) await agree(name)
    await fc.assert(fc.asyncProperty(fc.constantFrom(...Object.keys(cases)), agree), {
      numRuns: 60,
    })
  })
})
