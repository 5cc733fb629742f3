// x402 v2, scheme exact: the wallet signs an EIP-3009 authorization, and the gateway or a facilitator has it carried
// out.
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import type { Clock } from '#core/ports.ts'
import type { Hex } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'
import { chainAway, type Demand, PaymentRefusal, type Rail } from '../rail.ts'
import { describeChain } from '../rail-chain.ts'
import { readAuthorization, readPayment, refuse } from './authorization.ts'
import { type ContractSignatures, createContractSignatures } from './contract-signatures.ts'
import type { Facilitator } from './facilitator.ts'
import { x402InMcp } from './mcp.ts'
import { createOffers, declineOf, describeSale, terms } from './offer.ts'
import {
  challengeIdOf,
  claimKey,
  encodePaymentResponse,
  headerCharactersMax,
  type PaymentRequirements,
  type PaymentResponse,
  sealPayment,
  type X402Payment,
} from './payment.ts'
import { createX402Refunds } from './refund.ts'
import { settleByFacilitator, settleByGasWallet } from './settle.ts'
import { createSignIn } from './sign-in.ts'
import { verifyPayment } from './verify.ts'

export interface X402RailDependencies {
  readonly chain: EvmChain
  /** Settles instead of the chain's gas wallet. */
  readonly facilitator?: Facilitator | undefined
  readonly clock: Clock
  readonly assetName: string
  readonly assetVersion: string
  readonly payTo: Hex
  readonly maxTimeoutSeconds?: number | undefined
  readonly baseUrl: () => string
  /** Issues the nonces of sign-ins. All gateways of a database share it. */
  readonly signInKey: string
}

/** The time that a payment stays valid beyond the longest run of its call. */
const settlementSeconds = 60

export function createX402Rail(dependencies: X402RailDependencies): Rail {
  const { chain, facilitator, clock, baseUrl } = dependencies
  const network = `eip155:${chain.chainId}` as const
  const claimKeyOf = ({ signed }: X402Payment) => claimKey({ network, asset: chain.asset }, signed)
  const requirementsFor = createRequirements(dependencies, network)
  const contracts = createContractSignatures(chain)
  const signIn = createSignIn({ ...dependencies, network, contracts })
  const respond = (response: Omit<PaymentResponse, 'network' | 'payer'>, payer: string) => ({
    'payment-response': encodePaymentResponse({ ...response, network, payer: payer as Hex }),
  })

  return {
    id: 'x402',
    terms,
    chain: describeChain(chain, network, { token: chain.asset, payTo: dependencies.payTo }),
    offer: createOffers({ baseUrl, requirementsFor, signIn: signIn.offer }),
    decline: (demand, reason) => declineOf(demand, requirementsFor(demand), reason, baseUrl()),
    mcp: x402InMcp,
    signIn,
    async parse(header) {
      const payment = readPayment(header, headerCharactersMax)
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
    verify: createVerify({ ...dependencies, network, requirementsFor, contracts }),
    async simulate(payment) {
      const signed = readAuthorization(payment.credential)
      const verdict = await chain.simulateTransferWithAuthorization(signed).catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    ...(facilitator === undefined
      ? settleByGasWallet(chain)
      : settleByFacilitator({ chain, facilitator, clock, claimKeyOf })),
    receipt: ({ hash, payer }) => respond({ success: true, transaction: hash }, payer),
    pendingReceipt: ({ hash, payer }) =>
      respond({ success: false, errorReason: 'settlement_pending', transaction: hash }, payer),
    ...createX402Refunds(chain),
  }
}

function createRequirements(
  { chain, payTo, maxTimeoutSeconds, assetName, assetVersion }: X402RailDependencies,
  network: PaymentRequirements['network'],
) {
  return ({ micros, timeoutMs }: Demand): PaymentRequirements => ({
    scheme: 'exact',
    network,
    amount: String(micros),
    asset: chain.asset,
    payTo,
    maxTimeoutSeconds: maxTimeoutSeconds ?? Math.ceil(timeoutMs / 1_000) + settlementSeconds,
    extra: { name: assetName, version: assetVersion },
  })
}

function createVerify({
  facilitator,
  clock,
  baseUrl,
  network,
  requirementsFor,
  contracts,
}: X402RailDependencies & {
  network: PaymentRequirements['network']
  requirementsFor: (demand: Demand) => PaymentRequirements
  contracts: ContractSignatures
}): Rail['verify'] {
  return async (presented, demand, source) => {
    const { credential } = presented
    const verified = await verifyPayment(readPayment(credential), {
      requirements: [requirementsFor(demand)],
      nowS: Math.floor(clock.now() / 1_000),
      isValidSignature: (from, digest, signature) =>
        contracts.isValid(from, digest, signature, source),
    }).catch(chainAway)
    if (!verified.ok) throw new PaymentRefusal(verified.problem.message)
    const { payer, payerKind, signed } = verified
    return {
      ...presented,
      credential:
        facilitator === undefined
          ? credential
          : sealPayment(credential, describeSale(demand, baseUrl())),
      payer,
      wallet: payerKind === 'contract' ? `${network}:${payer}` : payer,
      micros: demand.micros,
      expiresAtMs: Number(signed.authorization.validBefore) * 1_000,
    }
  }
}
