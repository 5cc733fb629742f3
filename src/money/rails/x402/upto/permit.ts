import { hashTypedData } from 'viem'
import { z } from 'zod'
import { type Hex, lowerCase } from '../../../chains/chain.ts'
import { type Permit, permit2, type SignedPermit, uptoProxy } from '../../../chains/permits.ts'
import { PaymentRefusal } from '../../rail.ts'
import { decodeHeader } from '../payment.ts'

export interface UptoPayment {
  /** As the payer wrote it. It is not signed. */
  readonly accepted: Readonly<Record<string, unknown>>
  readonly signed: SignedPermit
  readonly spender: Hex
  readonly extensions: Readonly<Record<string, unknown>>
}

const signatureCharactersMax = 4 * 1024
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const uint = z.string().regex(/^(0|[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/)
const envelope = z.object({
  x402Version: z.literal(2),
  accepted: z.looseObject({ scheme: z.literal('upto') }),
  payload: z.strictObject({
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})*$/)
      .max(signatureCharactersMax),
    permit2Authorization: z.strictObject({
      from: address,
      permitted: z.strictObject({ token: address, amount: uint }),
      spender: address,
      nonce: uint,
      deadline: uint,
      witness: z.strictObject({ to: address, facilitator: address, validAfter: uint }),
    }),
  }),
  extensions: z.record(z.string(), z.unknown()).default({}),
})

/** Whether the header says that it is of this scheme. */
export function isUpto(header: string): boolean {
  const read = decodeHeader(header)
  return (read as { accepted?: { scheme?: unknown } } | undefined)?.accepted?.scheme === 'upto'
}

/** Throws a PaymentRefusal. */
export function readUpto(header: string): UptoPayment {
  const parsed = envelope.safeParse(decodeHeader(header))
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new PaymentRefusal(
      `The payment is not a permit of the scheme "upto": check ${place === '' ? 'its shape' : place}.`,
    )
  }
  const { accepted, payload, extensions } = parsed.data
  const { from, permitted, spender, nonce, deadline, witness } = payload.permit2Authorization
  return {
    accepted,
    extensions,
    spender: lowerCase(spender),
    signed: {
      signature: lowerCase(payload.signature),
      permit: {
        from: lowerCase(from),
        token: lowerCase(permitted.token),
        amount: BigInt(permitted.amount),
        nonce: BigInt(nonce),
        deadline: BigInt(deadline),
        to: lowerCase(witness.to),
        facilitator: lowerCase(witness.facilitator),
        validAfter: BigInt(witness.validAfter),
      },
    },
  }
}

/** Permit2 lets each number of an owner be used once, for all tokens together. */
export const claimKeyOf = (chainId: number, { from, nonce }: Permit): string =>
  `x402:${chainId}:${permit2}:${from}:${nonce}`

const types = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/** The EIP-712 digest that the payer signs. */
export const digestOf = (chainId: number, permit: Permit): Hex =>
  hashTypedData({
    domain: { name: 'Permit2', chainId, verifyingContract: permit2 },
    types,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: permit.token, amount: permit.amount },
      spender: uptoProxy,
      nonce: permit.nonce,
      deadline: permit.deadline,
      witness: { to: permit.to, facilitator: permit.facilitator, validAfter: permit.validAfter },
    },
  })
