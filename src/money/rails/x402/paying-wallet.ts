// The operator's wallet as a buyer: pays sellers who ask for an exact amount of a known dollar over x402. What it sends is
// a signature; the seller carries it out, once, since its nonce counts once.
import { randomBytes } from 'node:crypto'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Clock, HttpReply } from '#core/ports.ts'
import type { PayingWallet } from '#platform/http/upstream-wallet.ts'
import type { Hex } from '../../chains/chain.ts'
import { authorizationTypes } from '../../chains/dollar.ts'
import type { WalletDependencies } from '../definition.ts'
import { assetOf } from './asset.ts'
import type { X402Settings } from './settings.ts'

/** The longest that a signature may be good for, whatever the seller asks. */
const validSecondsMax = 600
/** Sellers' clocks may be behind. */
const clockSkewSeconds = 60

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Hex)
const digits = z.string().regex(/^\d{1,15}$/)
const offer = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: hex,
  payTo: hex,
  maxTimeoutSeconds: z.number().positive().default(60),
  /** Version 2 calls it `amount`, version 1 `maxAmountRequired`. */
  amount: digits.optional(),
  maxAmountRequired: digits.optional(),
})
const demand = z.looseObject({ x402Version: z.number(), accepts: z.array(z.unknown()).max(50) })

/** Version 1 calls networks by name. */
const networkNames: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
}

/** Undefined when the settings do not say which token it pays with; the log then says so. */
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

export function createX402PayingWallet(options: {
  key: Hex
  /** The only network and token that it pays with; base units are micro-dollars. */
  network: `eip155:${number}`
  asset: Hex
  assetName: string
  assetVersion: string
  clock: Clock
}): PayingWallet {
  const { network, clock } = options
  const account = privateKeyToAccount(options.key)
  const domain = {
    name: options.assetName,
    version: options.assetVersion,
    chainId: Number(network.slice('eip155:'.length)),
    verifyingContract: options.asset,
  }

  /** The seller's offers that this wallet can take. */
  function read(reply: HttpReply) {
    const asked = demand.safeParse(readDemand(reply))
    return (asked.data?.accepts ?? []).flatMap((raw) => {
      const { data } = offer.safeParse(raw)
      const amount = data?.amount ?? data?.maxAmountRequired
      const known = data?.network === network || data?.network === networkNames[network]
      return data !== undefined &&
        amount !== undefined &&
        known &&
        data.asset === options.asset.toLowerCase()
        ? [{ ...data, raw, micros: Number(amount), version: asked.data?.x402Version ?? 0 }]
        : []
    })
  }

  async function sign(chosen: ReturnType<typeof read>[number]) {
    const nowS = Math.floor(clock.now() / 1_000)
    const message = {
      from: account.address,
      to: chosen.payTo,
      value: BigInt(chosen.micros),
      validAfter: BigInt(nowS - clockSkewSeconds),
      validBefore: BigInt(nowS + Math.min(Math.ceil(chosen.maxTimeoutSeconds), validSecondsMax)),
      nonce: toHex(randomBytes(32)),
    }
    const primaryType = 'TransferWithAuthorization'
    const signature = await account.signTypedData({
      domain,
      types: authorizationTypes,
      primaryType,
      message,
    })
    const authorization = {
      ...message,
      value: String(message.value),
      validAfter: String(message.validAfter),
      validBefore: String(message.validBefore),
    }
    return { signature, authorization }
  }

  return {
    protocol: 'x402',
    read: (reply) =>
      read(reply).map((chosen) => ({
        micros: chosen.micros,
        async sign() {
          const payload = await sign(chosen)
          return {
            protocol: 'x402',
            payee: chosen.payTo,
            micros: chosen.micros,
            chainReference: payload.authorization.nonce,
            headers: toHeaders(chosen, payload),
            receiptHeader: 'payment-response',
          }
        },
      })),
    close: async () => {},
  }
}

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

/** Version 2 says it in a header, version 1 in the body. */
function readDemand({ headers, body }: HttpReply): unknown {
  const header = headers['payment-required']
  if (header === undefined) return body
  try {
    return decodePaymentRequiredHeader(header)
  } catch {
    return body
  }
}
