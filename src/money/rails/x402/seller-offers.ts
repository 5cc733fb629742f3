// Reads the demand of a seller that is paid over x402, and selects the offers that one wallet can take.
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { z } from 'zod'
import type { HttpReply } from '#core/ports.ts'
import { type Hex, lowerCase } from '../../chains/chain.ts'

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => lowerCase(text))
const digits = z.string().regex(/^\d{1,15}$/)
const offer = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: hex,
  payTo: hex,
  maxTimeoutSeconds: z.number().positive().default(60),
  /** The price is `amount` in version 2 and `maxAmountRequired` in version 1. */
  amount: digits.optional(),
  maxAmountRequired: digits.optional(),
})
const demand = z.looseObject({ x402Version: z.number(), accepts: z.array(z.unknown()).max(50) })

/** The names that version 1 uses for networks. */
const networkNames: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
}

export interface X402Offer extends z.infer<typeof offer> {
  /** The offer as the seller sent it. */
  readonly raw: unknown
  readonly micros: number
  /** The version of the protocol. */
  readonly version: number
}

/** What a wallet can pay with. Base units of the asset are micro-dollars. */
export interface X402Tender {
  readonly network: string
  readonly asset: Hex
}

/** The offers that a wallet with this tender can take. */
export function readOffers(reply: HttpReply, tender: X402Tender): X402Offer[] {
  const { data } = demand.safeParse(readDemand(reply))
  if (data === undefined) return []
  const asset = tender.asset.toLowerCase()
  const networks = [tender.network, networkNames[tender.network]]
  return data.accepts.flatMap((raw) => {
    const { data: found } = offer.safeParse(raw)
    const amount = found?.amount ?? found?.maxAmountRequired
    if (found === undefined || amount === undefined) return []
    if (found.asset !== asset || !networks.includes(found.network)) return []
    return [{ ...found, raw, micros: Number(amount), version: data.x402Version }]
  })
}

/** Version 2 sends the demand in a header, version 1 in the body. */
function readDemand({ headers, body }: HttpReply): unknown {
  const header = headers['payment-required']
  if (header === undefined) return body
  try {
    return decodePaymentRequiredHeader(header)
  } catch {
    return body
  }
}
