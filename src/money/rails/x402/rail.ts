// x402 v2. Scheme exact: the wallet signs an EIP-3009 authorization, and the gateway or a facilitator has it carried
// out. Scheme upto, for prices that are known only after the call: the folder `upto`.
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import type { Clock } from '#core/ports.ts'
import type { SharedCounters } from '#core/replicas/shared-state.ts'
import { type Hex, hexOf } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'
import { chainAway, type Demand, PaymentRefusal, type Rail, type Verified } from '../rail.ts'
import { describeChain } from '../rail-chain.ts'
import { readAuthorization, readPayment, refuse } from './authorization.ts'
import { type ContractSignatures, createContractSignatures } from './contract-signatures.ts'
import type { Facilitator } from './facilitator.ts'
import { x402InMcp } from './mcp.ts'
import { createOffers, declineOf, describeSale, termsWith } from './offer.ts'
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
import { isUpto } from './upto/permit.ts'
import { createUpto } from './upto/upto.ts'
import { verifyPayment } from './verify.ts'

export interface X402RailDependencies {
  readonly chain: EvmChain
  /** Settles instead of the chain's gas wallet. */
  readonly facilitator?: Facilitator | undefined
  readonly clock: Clock
  readonly counters: SharedCounters
  readonly assetName: string
  readonly assetVersion: string
  readonly payTo: Hex
  readonly maxTimeoutSeconds?: number | undefined
  readonly baseUrl: () => string
  /** Issues the nonces of sign-ins. All gateways of a database share it. */
  readonly signInKey: string
  /** Whether prices that are known only after the call can be paid. The gas wallet takes such payments. */
  readonly hasUpto?: () => boolean
}

/** The time that a payment stays valid beyond the longest run of its call. */
const settlementSeconds = 60

export function createX402Rail(dependencies: X402RailDependencies): Rail {
  const { chain, clock, counters, baseUrl, hasUpto = () => false } = dependencies
  const network = `eip155:${chain.chainId}` as const
  const claimKeyOf = ({ signed }: X402Payment) => claimKey({ network, asset: chain.asset }, signed)
  const requirementsFor = createRequirements(dependencies, network)
  const contracts = createContractSignatures(chain, counters)
  const signIn = createSignIn({ ...dependencies, network, contracts })
  const respond = (response: Omit<PaymentResponse, 'network' | 'payer'>, payer: string) => ({
    'payment-response': encodePaymentResponse({ ...response, network, payer: hexOf(payer) }),
  })

  const upto = createUpto({ chain, clock, requirementsFor })
  const exact = createExact(dependencies, { network, requirementsFor, contracts, claimKeyOf })
  const schemeOf = (header: string) => (isUpto(header) ? upto : exact)

  return {
    id: 'x402',
    get terms() {
      return termsWith(hasUpto())
    },
    chain: describeChain(chain, network, { token: chain.asset, payTo: dependencies.payTo }),
    offer: createOffers({ baseUrl, requirementsFor, signIn: signIn.offer }),
    decline: (demand, reason) => declineOf(demand, requirementsFor(demand), reason, baseUrl()),
    mcp: x402InMcp,
    signIn,
    parse: async (header) => await schemeOf(header).parse(header),
    verify: (presented, ...asked) => schemeOf(presented.credential).verify(presented, ...asked),
    simulate: (payment) => schemeOf(payment.credential).simulate(payment),
    prepare: (credential, micros) => schemeOf(credential).prepare(credential, micros),
    send: (payment) => schemeOf(payment.credential).send(payment),
    inspect: (payment) => schemeOf(payment.credential).inspect(payment),
    ...(exact.discard === undefined ? {} : { discard: exact.discard }),
    receipt: ({ hash, payer, micros }) =>
      respond({ success: true, transaction: hash, amount: String(micros) }, payer),
    pendingReceipt: ({ hash, payer }) =>
      respond({ success: false, errorReason: 'settlement_pending', transaction: hash }, payer),
    ...createX402Refunds(chain),
  }
}

/** The scheme exact. */
function createExact(
  { chain, facilitator, clock, baseUrl }: X402RailDependencies,
  parts: Pick<Parameters<typeof createVerify>[0], 'network' | 'requirementsFor' | 'contracts'> & {
    claimKeyOf: (payment: X402Payment) => string
  },
) {
  const { claimKeyOf } = parts
  return {
    async parse(header: string) {
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
    verify: createVerify({ facilitator, clock, baseUrl, ...parts }),
    async simulate(payment: Verified) {
      const signed = readAuthorization(payment.credential)
      const verdict = await chain.simulateTransferWithAuthorization(signed).catch(chainAway)
      if (!verdict.ok) throw refuse(verdict.reason)
    },
    ...(facilitator === undefined
      ? settleByGasWallet(chain)
      : settleByFacilitator({ chain, facilitator, clock, claimKeyOf })),
  }
}

function createRequirements(
  { chain, payTo, maxTimeoutSeconds, assetName, assetVersion }: X402RailDependencies,
  network: PaymentRequirements['network'],
) {
  return ({ micros, timeoutMs, isCap = false }: Demand): PaymentRequirements => ({
    scheme: isCap ? 'upto' : 'exact',
    network,
    amount: String(micros),
    asset: chain.asset,
    payTo,
    maxTimeoutSeconds: maxTimeoutSeconds ?? Math.ceil(timeoutMs / 1_000) + settlementSeconds,
    extra: {
      name: assetName,
      version: assetVersion,
      ...(isCap && chain.gasAddress !== undefined ? { facilitatorAddress: chain.gasAddress } : {}),
    },
  })
}

function createVerify({
  facilitator,
  clock,
  baseUrl,
  network,
  requirementsFor,
  contracts,
}: Pick<X402RailDependencies, 'facilitator' | 'clock' | 'baseUrl'> & {
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
