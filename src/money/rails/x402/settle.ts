// The two ways to settle: the gateway's own gas wallet sends the authorization, or a facilitator does. In both, only
// the chain decides the outcome.
import { LRUCache } from 'lru-cache'
import type { Clock } from '#core/ports.ts'
import { ChainRefusal, ChainUnavailable, hexOf, type RefusalReason } from '../../chains/chain.ts'
import { carriesOut } from '../../chains/dollar.ts'
import type { EvmChain } from '../../chains/evm.ts'
import type { PreparedTransaction, Rail, SettlingPayment } from '../rail.ts'
import {
  broadcastAuthorization,
  inspectAuthorization,
  readAuthorization,
  readPayment,
  refuse,
  settledHash,
  traceAuthorization,
} from './authorization.ts'
import type { Facilitator } from './facilitator.ts'
import type { X402Payment } from './payment.ts'

export type Settler = Pick<Rail, 'prepare' | 'send' | 'discard' | 'inspect'>

/** Refusals that the operator must fix. The payment goes on once the gas wallet can pay. */
export const gasTroubles: ReadonlySet<RefusalReason> = new Set([
  'insufficient_gas',
  'fee_too_low',
  'nonce_too_low',
])

export function settleByGasWallet(chain: EvmChain): Settler {
  return {
    prepare: (credential) => prepare(chain, credential),
    send: (payment) => send(chain, payment),
    async discard({ gasNonce }) {
      if (gasNonce === undefined) return
      const { raw } = await chain.fillGap(gasNonce)
      await chain.broadcast(raw)
    },
    async inspect(payment) {
      const { credential, hash } = payment
      const { authorization } = readAuthorization(credential)
      const receipt = await chain.receipt(hexOf(hash))
      return receipt !== undefined && carriesOut(receipt, chain.asset, authorization)
        ? { state: 'settled', hash, block: Number(receipt.blockNumber) }
        : await inspectAuthorization(chain, payment)
    },
  }
}

async function prepare(chain: EvmChain, credential: string): Promise<PreparedTransaction> {
  const signed = readAuthorization(credential)
  try {
    const { raw, hash, gasNonce, signedAtBlock } = await chain.signSettlement(signed)
    return { raw, hash, gasNonce, signedAtBlock: Number(signedAtBlock) }
  } catch (error) {
    if (!(error instanceof ChainRefusal)) throw error
    if (gasTroubles.has(error.reason)) throw new ChainUnavailable(error.message)
    if (error.reason !== 'nonce_used') throw refuse(error.reason)
    // Another sender may have carried it out, which settles the payment too.
    return { raw: '', hash: settledHash(await traceAuthorization(chain, signed)) }
  }
}

async function send(
  chain: EvmChain,
  { credential, raw, hash, isNew }: SettlingPayment,
): Promise<'sent' | 'lost'> {
  const signed = readAuthorization(credential)
  const { from, nonce } = signed.authorization
  const receipt = isNew ? undefined : await chain.receipt(hexOf(hash))
  if (receipt?.status === 'reverted') {
    const verdict = await chain.simulateTransferWithAuthorization(signed)
    throw refuse(verdict.ok ? 'reverted' : verdict.reason)
  }
  if (receipt !== undefined) return 'sent'
  if (raw !== '') return await broadcastAuthorization(chain, { raw: hexOf(raw), from, nonce })
  // Another sender carried it out, and a reorganisation removed that block.
  return (await chain.authorizationState(from, nonce)) ? 'sent' : 'lost'
}

/** A facilitator is asked to settle again after this time, and after twice as long each further time. */
const firstPostDelayMs = 10_000
const postDelayMsMax = 120_000
const postsRememberedMax = 10_000

export function settleByFacilitator(dependencies: {
  chain: EvmChain
  facilitator: Facilitator
  clock: Clock
  claimKeyOf: (payment: X402Payment) => string
}): Settler {
  const { chain, facilitator, clock, claimKeyOf } = dependencies
  const posts = new LRUCache<string, { readonly delayMs: number; readonly nextAtMs: number }>({
    max: postsRememberedMax,
  })

  /** Posts a payment, and repeats this at growing intervals until the chain shows it. */
  async function post(payment: X402Payment): Promise<void> {
    const name = claimKeyOf(payment)
    const earlier = posts.get(name)
    if (earlier !== undefined && clock.now() < earlier.nextAtMs) return
    const delayMs = Math.min((earlier?.delayMs ?? firstPostDelayMs / 2) * 2, postDelayMsMax)
    posts.set(name, { delayMs, nextAtMs: clock.now() + delayMs })
    await facilitator.settle(payment)
    posts.set(name, { delayMs, nextAtMs: clock.now() + delayMs })
  }

  return {
    /** Nothing is signed here: the authorization itself is sent, and its claim key identifies it. */
    async prepare(credential) {
      const { number } = await chain.head()
      const hash = claimKeyOf(readPayment(credential))
      return { raw: credential, hash, signedAtBlock: Number(number) }
    },
    async send({ credential }) {
      const payment = readPayment(credential)
      const { from, nonce } = payment.signed.authorization
      if (!(await chain.authorizationState(from, nonce))) await post(payment)
      return 'sent'
    },
    inspect: (payment) => inspectAuthorization(chain, payment),
  }
}
