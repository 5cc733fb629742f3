// The operator's wallet pays sellers over x402 when they ask for an exact amount of a known dollar token. It sends a
// signed authorization. The seller can carry it out once, since the token accepts each nonce once.
import { randomBytes } from 'node:crypto'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Clock, SellerPayment } from '#core/ports.ts'
import type { PayingWallet } from '#platform/http/upstream-wallet.ts'
import type { Hex } from '../../chains/chain.ts'
import { type Authorization, authorizationTypes } from '../../chains/dollar.ts'
import type { WalletDependencies } from '../definition.ts'
import { assetOf } from './asset.ts'
import { readOffers, type X402Offer } from './seller-offers.ts'
import type { X402Settings } from './settings.ts'

/** The longest validity of a signature. A seller that asks for more gets this. */
const validSecondsMax = 600
/** A seller's clock may be this much behind. */
const clockSkewSeconds = 60

/** Undefined, with an error in the log, when the settings do not say which token the wallet pays with. */
export function openX402PayingWallet({
  settings,
  key,
  clock,
  log,
}: WalletDependencies<X402Settings>): PayingWallet | undefined {
  const network = settings.X402_NETWORK as `eip155:${number}`
  const token = assetOf(settings)
  if (token !== undefined) {
    const { asset, name: assetName } = token
    const assetVersion = settings.X402_ASSET_VERSION
    return createX402PayingWallet({ key, network, asset, assetName, assetVersion, clock })
  }
  log.error(
    { network },
    'The upstream wallet cannot buy over x402: X402_ASSET and X402_ASSET_NAME must name the token of this network.',
  )
  return undefined
}

export function createX402PayingWallet(dependencies: {
  key: Hex
  /** The only network and token that it pays with. Base units are micro-dollars. */
  network: `eip155:${number}`
  asset: Hex
  assetName: string
  assetVersion: string
  clock: Clock
}): PayingWallet {
  const { network, asset, clock } = dependencies
  const account = privateKeyToAccount(dependencies.key)
  const domain = {
    name: dependencies.assetName,
    version: dependencies.assetVersion,
    chainId: Number(network.slice('eip155:'.length)),
    verifyingContract: asset,
  }

  async function sign(offer: X402Offer): Promise<SellerPayment> {
    const authorization = authorizationFor(offer, account.address, clock.now())
    const signature = await account.signTypedData({
      domain,
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
    })
    return {
      protocol: 'x402',
      payee: offer.payTo,
      micros: offer.micros,
      chainReference: authorization.nonce,
      headers: toHeaders(offer, { signature, authorization: toWire(authorization) }),
      receiptHeader: 'payment-response',
    }
  }

  return {
    protocol: 'x402',
    read: (reply) =>
      readOffers(reply, { network, asset }).map((offer) => ({
        micros: offer.micros,
        sign: () => sign(offer),
      })),
    close: async () => {},
  }
}

function authorizationFor(offer: X402Offer, from: Hex, nowMs: number): Authorization {
  const nowS = Math.floor(nowMs / 1_000)
  return {
    from,
    to: offer.payTo,
    value: BigInt(offer.micros),
    validAfter: BigInt(nowS - clockSkewSeconds),
    validBefore: BigInt(nowS + Math.min(Math.ceil(offer.maxTimeoutSeconds), validSecondsMax)),
    nonce: toHex(randomBytes(32)),
  }
}

const toWire = (authorization: Authorization) => ({
  ...authorization,
  value: String(authorization.value),
  validAfter: String(authorization.validAfter),
  validBefore: String(authorization.validBefore),
})

function toHeaders(
  { version, network, raw }: { version: number; network: string; raw: unknown },
  payload: object,
): Record<string, string> {
  if (version >= 2) {
    const payment = { x402Version: 2, accepted: raw, payload }
    return { 'payment-signature': encodePaymentSignatureHeader(payment as never) }
  }
  const payment = { x402Version: 1, scheme: 'exact', network, payload }
  return { 'x-payment': Buffer.from(JSON.stringify(payment)).toString('base64') }
}
