// Reads the challenges of a seller that is paid over MPP, and selects those that one wallet can answer.
import { Challenge } from 'mppx'
import { z } from 'zod'
import type { HttpReply } from '#core/ports.ts'
import type { Hex } from '../../chains/chain.ts'

/** A challenge that expires sooner than this is not worth a signature. */
const expiryMarginMs = 5_000

/** A seller may name the header for its credential. The name must not overwrite another header of the request. */
const headerShape = /^([a-z]+-)?authorization$/i

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const charge = z.looseObject({
  amount: z.string().regex(/^[1-9]\d{0,14}$/),
  currency: address,
  recipient: address,
  methodDetails: z
    .looseObject({
      chainId: z.number().optional(),
      feePayer: z.boolean().default(false),
      supportedModes: z.array(z.string()).default(['pull', 'push']),
    })
    .prefault({}),
})

export interface MppOffer {
  readonly challenge: Challenge.Challenge
  /** The seller pays the fee of the transfer. */
  readonly sponsored: boolean
  readonly payee: string
  readonly micros: number
}

/** What a wallet can pay with. Base units of the currency are micro-dollars. */
export interface MppTender {
  readonly chainId: number
  /** In lower case. */
  readonly currency: Hex
}

/** The challenges that a wallet with this tender can answer now. */
export function readOffers({ headers }: HttpReply, tender: MppTender, nowMs: number): MppOffer[] {
  const header = headers['www-authenticate']
  if (header === undefined) return []
  return deserialize(header)
    .filter((challenge) => isAnswerable(challenge, nowMs))
    .flatMap((challenge) => {
      const { data } = charge.safeParse(challenge.request)
      if (data === undefined || !isPayable(data, tender)) return []
      const { feePayer: sponsored } = data.methodDetails
      return [{ challenge, sponsored, payee: data.recipient, micros: Number(data.amount) }]
    })
}

const isAnswerable = (challenge: Challenge.Challenge, nowMs: number): boolean =>
  challenge.method === 'tempo' &&
  challenge.intent === 'charge' &&
  headerShape.test(Challenge.credentialHeader(challenge)) &&
  (challenge.expires === undefined || Date.parse(challenge.expires) > nowMs + expiryMarginMs)

const isPayable = (
  { currency, methodDetails }: z.infer<typeof charge>,
  tender: MppTender,
): boolean =>
  currency === tender.currency &&
  (methodDetails.chainId ?? tender.chainId) === tender.chainId &&
  methodDetails.supportedModes.includes('pull')

/** One unreadable challenge must not hide the others, so each is then read alone. */
function deserialize(header: string): readonly Challenge.Challenge[] {
  try {
    return Challenge.deserializeList(header)
  } catch {
    const challenges = header.split(/,\s*(?=Payment\s)/i)
    return challenges.length === 1 ? [] : challenges.flatMap(deserialize)
  }
}
