// x402 v2, scheme exact: the wallet signs an EIP-3009 authorization, the gateway has it carried out, paying the gas, or
// lets a facilitator do it. The chain says what became of it either way.
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#core/ports.ts'
import { ChainRefusal, ChainUnavailable, type Hex, type RefusalReason } from '../../chains/chain.ts'
import { carriesOut, refundName, type SignedAuthorization } from '../../chains/dollar.ts'
import type { EvmChain } from '../../chains/evm.ts'
import {
  blameless,
  type ChainVerdict,
  chainAway,
  type Demand,
  PaymentRefusal,
  type Rail,
} from '../rail.ts'
import { describeChain } from '../rail-chain.ts'
import { createContractSignatures } from './contract-signatures.ts'
import type { Facilitator } from './facilitator.ts'
import { createOffers, declineOf, describeSale, terms } from './offer.ts'
import {
  challengeIdOf,
  claimKey,
  encodePaymentResponse,
  headerCharactersMax,
  type PaymentRequirements,
  parsePaymentSignature,
  sealPayment,
  type X402Payment,
} from './payment.ts'
import { createSignIn } from './sign-in.ts'
import { readKeySignature } from './signature.ts'
import { verifyPayment } from './verify.ts'

export interface X402Terms {
  readonly assetName: string
  readonly assetVersion: string
  readonly payTo: Hex
  readonly maxTimeoutSeconds?: number | undefined
  readonly baseUrl: () => string
  /** Issues the nonces of sign-ins; the same for all gateways of a database. */
  readonly signInKey: string
}

/** Nodes behind one address need not know the same newest block. */
const headLagMsMax = 30_000
/** A facilitator that was asked to settle is asked again after so long, and after twice as long each time. */
const firstPostDelayMs = 10_000
const postDelayMsMax = 120_000
const postsRememberedMax = 10_000
/** What this gateway says of a sale may be longer than what payers may send. */
const sealedCharactersMax = 256 * 1024

/** What is left of the time that a payment is valid when its call has used all of its own. */
const settlementSeconds = 60

export function createX402Rail(
  room: { chain: EvmChain; facilitator?: Facilitator | undefined; clock: Clock } & X402Terms,
): Rail {
  const { chain, facilitator, clock } = room
  const network = `eip155:${chain.chainId}` as const

  const requirementsFor = ({ micros, timeoutMs }: Demand): PaymentRequirements => ({
    scheme: 'exact',
    network,
    amount: String(micros),
    asset: chain.asset,
    payTo: room.payTo,
    maxTimeoutSeconds: room.maxTimeoutSeconds ?? Math.ceil(timeoutMs / 1_000) + settlementSeconds,
    extra: { name: room.assetName, version: room.assetVersion },
  })

  const posts = new LRUCache<string, { readonly delayMs: number; readonly nextAtMs: number }>({
    max: postsRememberedMax,
  })
  const contracts = createContractSignatures(chain)
  const signIn = createSignIn({ ...room, network, contracts })
  const offer = createOffers({ baseUrl: room.baseUrl, requirementsFor, signIn: signIn.offer })

  function read(header: string, charactersMax = sealedCharactersMax): X402Payment {
    const parsed = parsePaymentSignature(header, charactersMax)
    if (!parsed.ok) throw new PaymentRefusal(parsed.problem.message)
    return parsed.payment
  }

  const claimKeyOf = ({ signed }: X402Payment) => claimKey({ network, asset: chain.asset }, signed)

  /** What was signed, in the one form that the token takes. */
  function signedIn(header: string): SignedAuthorization {
    const { signed } = read(header)
    return { ...signed, signature: readKeySignature(signed.signature)?.normal ?? signed.signature }
  }

  /** Anybody may carry out an authorization, and its payer may cancel it: the token's log says which. */
  async function traceOf(
    { authorization }: SignedAuthorization,
    signedAtBlock: number | null = null,
  ): Promise<ChainVerdict> {
    const { from, nonce } = authorization
    const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
    const hash = await chain.findAuthorizationUsed(from, nonce, fromBlock)
    const trace = hash ?? (await chain.findAuthorizationCancelled(from, nonce, fromBlock))
    const receipt = trace === undefined ? undefined : await chain.receipt(trace)
    if (receipt === undefined) return { state: 'pending' }
    const block = Number(receipt.blockNumber)
    const dead = (reason: string) => ({ state: 'dead', reason, byPayer: true, block }) as const
    if (hash === undefined) return dead('The payer has cancelled the authorization.')
    return carriesOut(receipt, chain.asset, authorization)
      ? { state: 'settled', hash, block }
      : dead('The payer has used the authorization’s nonce for another.')
  }

  /** Sends the transaction that is to carry out this authorization. */
  async function broadcast(raw: Hex, from: Hex, nonce: Hex): Promise<'sent' | 'lost'> {
    const sent = await chain.broadcast(raw)
    if (sent.outcome !== 'refused' || sent.reason !== 'nonce_too_low') return 'sent'
    // Its number is taken: by itself, if the authorization is used, and by another transaction, or in vain, if not.
    return (await chain.authorizationState(from, nonce)) ? 'sent' : 'lost'
  }

  /** Posts once, and leaves it to the chain to say what came of it; seldom again while that says nothing. */
  async function post(to: Facilitator, payment: X402Payment): Promise<void> {
    const name = claimKeyOf(payment)
    const earlier = posts.get(name)
    if (earlier !== undefined && clock.now() < earlier.nextAtMs) return
    const delayMs = Math.min((earlier?.delayMs ?? firstPostDelayMs / 2) * 2, postDelayMsMax)
    posts.set(name, { delayMs, nextAtMs: clock.now() + delayMs })
    await to.settle(payment)
    posts.set(name, { delayMs, nextAtMs: clock.now() + delayMs })
  }

  function refundAddress(): Hex {
    if (chain.refundAddress === undefined)
      throw new Error('X402_REFUND_KEY is not set, so refunds wait.')
    return chain.refundAddress
  }

  return {
    id: 'x402',
    terms,
    chain: describeChain(chain, network, { token: chain.asset, payTo: room.payTo }),
    offer,
    decline: (demand, reason) => declineOf(demand, requirementsFor(demand), reason, room.baseUrl()),
    signIn,
    async parse(header) {
      const payment = read(header, headerCharactersMax)
      const identifier = extractPaymentIdentifier(payment as never)
      const challengeId = challengeIdOf(payment)
      return {
        rail: 'x402',
        claimKey: claimKeyOf(payment),
        credential: header,
        ...(challengeId === undefined ? {} : { challengeId }),
        ...(identifier === null ? {} : { identifier }),
      }
    },
    async verify(presented, demand, source) {
      const verified = await verifyPayment(read(presented.credential), {
        requirements: [requirementsFor(demand)],
        nowS: Math.floor(clock.now() / 1_000),
        isValidSignature: (from, digest, signature) =>
          contracts.isValid(from, digest, signature, source),
      }).catch(chainAway)
      if (!verified.ok) throw new PaymentRefusal(verified.problem.message)
      const { payer, payerKind, signed } = verified
      const { credential } = presented
      return {
        ...presented,
        credential:
          facilitator === undefined
            ? credential
            : sealPayment(credential, describeSale(demand, room.baseUrl())),
        payer,
        wallet: payerKind === 'contract' ? `${network}:${payer}` : payer,
        micros: demand.micros,
        expiresAtMs: Number(signed.authorization.validBefore) * 1_000,
      }
    },
    async simulate(payment) {
      const signed = signedIn(payment.credential)
      const verdict = await chain.simulateTransferWithAuthorization(signed).catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    async prepare(credential) {
      const signed = signedIn(credential)
      if (facilitator !== undefined) {
        // Nothing is signed here: the authorization itself is what will be sent, and its nonce is what it is known by.
        const { number } = await chain.head()
        return {
          raw: credential,
          hash: claimKeyOf(read(credential)),
          signedAtBlock: Number(number),
        }
      }
      try {
        const { raw, hash, gasNonce, signedAtBlock } = await chain.signSettlement(signed)
        return { raw, hash, gasNonce, signedAtBlock: Number(signedAtBlock) }
      } catch (error) {
        if (!(error instanceof ChainRefusal)) throw error
        // What the gas wallet lacks is no fault of the payer's: it goes on when the operator has mended it.
        if (gasTroubles.has(error.reason)) throw new ChainUnavailable(error.message)
        if (error.reason !== 'nonce_used') throw refuse(error.reason)
        // Somebody else may have carried it out, to the same end.
        const verdict = await traceOf(signed)
        if (verdict.state === 'settled') return { raw: '', hash: verdict.hash }
        if (verdict.state === 'dead') throw new PaymentRefusal(verdict.reason)
        throw new ChainUnavailable('What became of the authorization is not known yet.')
      }
    },
    async send({ credential, raw, hash }) {
      const payment = read(credential)
      const { from, nonce } = payment.signed.authorization
      if (facilitator !== undefined) {
        if (!(await chain.authorizationState(from, nonce))) await post(facilitator, payment)
        return 'sent'
      }
      const receipt = await chain.receipt(hash as Hex)
      if (receipt?.status === 'reverted') {
        const verdict = await chain.simulateTransferWithAuthorization(signedIn(credential))
        throw refuse(verdict.ok ? 'reverted' : verdict.reason)
      }
      if (receipt !== undefined) return 'sent'
      // Somebody else had carried it out, in a block that is no more.
      if (raw === '') return (await chain.authorizationState(from, nonce)) ? 'sent' : 'lost'
      return await broadcast(raw as Hex, from, nonce)
    },
    async discard({ gasNonce }) {
      if (gasNonce === undefined) return
      const { raw } = await chain.fillGap(gasNonce)
      await chain.broadcast(raw)
    },
    async inspect({ credential, hash, expiresAtMs, signedAtBlock }) {
      const signed = signedIn(credential)
      const { authorization } = signed
      if (facilitator === undefined) {
        const receipt = await chain.receipt(hash as Hex)
        if (receipt !== undefined && carriesOut(receipt, chain.asset, authorization))
          return { state: 'settled', hash, block: Number(receipt.blockNumber) }
      }
      const { from, nonce } = authorization
      if (await chain.authorizationState(from, nonce)) return await traceOf(signed, signedAtBlock)
      const { timestampS, number } = await chain.head()
      if (timestampS * 1_000 <= expiresAtMs + headLagMsMax) return { state: 'pending' }
      // It may have been carried out between the two questions, or be known to another node than the first one asked.
      return (await chain.authorizationState(from, nonce, { atBlock: number }))
        ? { state: 'pending' }
        : { state: 'dead', reason: 'The authorization has expired.', block: Number(number) }
    },
    receipt: ({ hash, payer }) => ({
      'payment-response': encodePaymentResponse({
        success: true,
        transaction: hash,
        network,
        payer: payer as Hex,
      }),
    }),
    pendingReceipt: ({ hash, payer }) => ({
      'payment-response': encodePaymentResponse({
        success: false,
        errorReason: 'settlement_pending',
        transaction: hash,
        network,
        payer: payer as Hex,
      }),
    }),
    async signRefund({ id, payee, micros }) {
      const order = { refundId: id, to: payee as Hex, amount: BigInt(micros) }
      const { raw, hash, gasNonce, signedAtBlock, validBeforeS } = await chain.signRefund(order)
      const validUntilMs = validBeforeS * 1_000
      return { raw, hash, gasNonce, signedAtBlock: Number(signedAtBlock), validUntilMs }
    },
    sendRefund: ({ id, raw }) => broadcast(raw as Hex, refundAddress(), refundName(id)),
    async inspectRefund({ id, signedAtBlock }, sent) {
      const from = refundAddress()
      const nonce = refundName(id)
      if (await chain.authorizationState(from, nonce)) {
        const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
        const hash = await chain.findAuthorizationUsed(from, nonce, fromBlock)
        const receipt = hash === undefined ? undefined : await chain.receipt(hash)
        return hash === undefined || receipt === undefined
          ? { state: 'pending' }
          : { state: 'settled', hash, block: Number(receipt.blockNumber) }
      }
      const { timestampS, number } = await chain.head()
      return sent !== undefined && timestampS * 1_000 <= sent.validUntilMs
        ? { state: 'pending' }
        : { state: 'dead', reason: 'The refund is not on the chain.', block: Number(number) }
    },
  }
}

const gasTroubles: ReadonlySet<RefusalReason> = new Set([
  'insufficient_gas',
  'fee_too_low',
  'nonce_too_low',
])

const refusals: Readonly<Record<string, string>> & { readonly refused: string } = {
  insufficient_balance: 'The wallet does not hold enough of the token.',
  expired: 'The authorization has expired.',
  nonce_used: 'The authorization was used or cancelled before.',
  blocked: 'The token’s issuer has blocked the wallet.',
  refused: 'The chain would not carry out the transfer.',
}

function refuse(reason: RefusalReason): PaymentRefusal {
  return new PaymentRefusal(refusals[reason] ?? refusals.refused, {
    blameless: blameless.has(reason),
  })
}
