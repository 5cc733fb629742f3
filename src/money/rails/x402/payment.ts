// The three headers of x402 version 2, and how a payment is read from one. All values are untrusted.
import { Buffer } from 'node:buffer'
import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import { z } from 'zod'
import { membersOf } from '#core/input/members.ts'
import { type Hex, lowerCase } from '../../chains/chain.ts'
import type { SignedAuthorization } from '../../chains/dollar.ts'

export const headerCharactersMax = 8 * 1024
const signatureCharactersMax = 4 * 1024

/** The terms of a payment, computed for each call. A payer echoes them as `accepted`. */
export interface PaymentRequirements {
  readonly scheme: 'exact' | 'upto'
  readonly network: `eip155:${number}`
  /** Base units, in decimal. */
  readonly amount: string
  readonly asset: Hex
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  /** The name and version of the token's EIP-712 domain, which the payer signs for. */
  readonly extra: {
    readonly name: string
    readonly version: string
    /** The id of the challenge. Not compared; it shows later which caller received the challenge that was paid. */
    readonly challengeId?: string
    /** Of the scheme upto: the wallet that takes the payment. */
    readonly facilitatorAddress?: Hex
  }
}

export interface PaymentRequired {
  readonly resource: {
    readonly url: string
    readonly description?: string
    readonly mimeType?: string
  }
  readonly accepts: readonly object[]
  readonly error?: string | undefined
  readonly extensions?: Record<string, unknown> | undefined
}

export interface PaymentResponse {
  readonly success: boolean
  /** The hash of the transaction, or empty when there is none. */
  readonly transaction: string
  readonly network: PaymentRequirements['network']
  readonly payer?: Hex | undefined
  /** What was settled, in base units. */
  readonly amount?: string | undefined
  readonly errorReason?: string | undefined
}

export interface X402Payment {
  /** As the payer wrote it. It is not signed, so it proves nothing until `verifyPayment` has compared it. */
  readonly accepted: Readonly<Record<string, unknown>>
  readonly signed: SignedAuthorization
  readonly extensions: Readonly<Record<string, unknown>>
  /** What is sold: the payer's description or, in a sealed payment, this gateway's. */
  readonly resource?: Readonly<Record<string, unknown>> | undefined
}

/** The protocol's own code where it has one. It becomes `error` of the next challenge. */
export type X402ProblemCode =
  | 'invalid_payload'
  | 'invalid_x402_version'
  | 'unsupported_scheme'
  | 'invalid_payment_requirements'
  | 'invalid_network'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_signature'

export interface X402Problem {
  readonly code: X402ProblemCode
  /** Tells the payer what to do next. */
  readonly message: string
}

export type ParsedPayment =
  | { readonly ok: true; readonly payment: X402Payment }
  | { readonly ok: false; readonly problem: X402Problem }

/** The value of PAYMENT-REQUIRED. The body of the 402 may hold it too. */
export function encodePaymentRequired(required: PaymentRequired): string {
  return encodePaymentRequiredHeader(paymentRequiredBody(required) as never)
}

export function paymentRequiredBody(required: PaymentRequired) {
  const { resource, accepts, error, extensions } = required
  return {
    x402Version: 2 as const,
    ...(error === undefined ? {} : { error }),
    resource,
    accepts,
    ...(extensions === undefined ? {} : { extensions }),
  }
}

/** The value of PAYMENT-RESPONSE. */
export function encodePaymentResponse(response: PaymentResponse): string {
  return encodePaymentResponseHeader(response as never)
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const uint = z.string().regex(/^(0|[1-9]\d{0,77})$/)
const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)

const authorization = z.strictObject({
  from: address,
  to: address,
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
})
const envelope = z.object({
  x402Version: z.literal(2),
  accepted: z.looseObject({ scheme: z.literal('exact') }),
  payload: z.strictObject({ signature: hex.max(signatureCharactersMax), authorization }),
  extensions: z.record(z.string(), z.unknown()).default({}),
  resource: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

const refuse = (code: X402ProblemCode, message: string): ParsedPayment => ({
  ok: false,
  problem: { code, message },
})

/** Reads the value of a PAYMENT-SIGNATURE header. */
export function parsePaymentSignature(
  header: string,
  charactersMax = headerCharactersMax,
): ParsedPayment {
  if (header.length > charactersMax) {
    return refuse('invalid_payload', `The payment is longer than ${charactersMax} characters.`)
  }
  const read = decodeHeader(header)
  if (read === undefined) {
    return refuse(
      'invalid_payload',
      'PAYMENT-SIGNATURE must hold one payment, as the base64 of a JSON object.',
    )
  }
  const parsed = envelope.safeParse(read)
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? ''
    if (place === 'x402Version') {
      return refuse('invalid_x402_version', 'Pay by version 2 of x402: set x402Version to 2.')
    }
    if (place === 'accepted.scheme') {
      return refuse(
        'unsupported_scheme',
        'Pay by the scheme "exact" with an EIP-3009 authorization.',
      )
    }
    return refuse(
      'invalid_payload',
      `The payment is not an EIP-3009 authorization of the scheme "exact": check ${place === '' ? 'its shape' : place}.`,
    )
  }
  const { accepted, payload, extensions, resource } = parsed.data
  const { from, to, nonce, ...numbers } = payload.authorization
  return {
    ok: true,
    payment: {
      accepted,
      extensions,
      resource,
      signed: {
        signature: lowerCase(payload.signature),
        authorization: {
          from: lowerCase(from),
          to: lowerCase(to),
          nonce: lowerCase(nonce),
          value: BigInt(numbers.value),
          validAfter: BigInt(numbers.validAfter),
          validBefore: BigInt(numbers.validBefore),
        },
      },
    },
  }
}

/** The JSON in the header of a payment. Undefined for a header that holds none. */
export function decodeHeader(header: string): unknown {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return undefined
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The claim key of a payment, which can be spent once. A signature has several forms; this key has one. */
export function claimKey(
  requirements: Pick<PaymentRequirements, 'network' | 'asset'>,
  { authorization: { from, nonce } }: SignedAuthorization,
): string {
  const chainId = requirements.network.slice('eip155:'.length)
  return `x402:${chainId}:${lowerCase(requirements.asset)}:${lowerCase(from)}:${lowerCase(nonce)}`
}

const challengeIdCharactersMax = 100

/** The id of the challenge that the payer answers, as the payer echoes it. */
export function challengeIdOf({ accepted }: Pick<X402Payment, 'accepted'>): string | undefined {
  const { challengeId } = membersOf(accepted.extra)
  return typeof challengeId === 'string' && challengeId.length <= challengeIdCharactersMax
    ? challengeId
    : undefined
}

/** The same payment with this gateway's description of the sale in place of the payer's. */
export function sealPayment(
  header: string,
  sale: { readonly resource: object; readonly extensions: object },
): string {
  const { x402Version, accepted, payload } = membersOf(decodeHeader(header))
  return Buffer.from(JSON.stringify({ x402Version, accepted, payload, ...sale })).toString('base64')
}
