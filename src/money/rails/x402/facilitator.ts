// A third party's facilitator carries out authorizations and pays the gas. Its reports about money only go to the log:
// many facilitators report a settlement as failed when they only lost the reply. The chain tells the true outcome.
import { Pool } from 'undici'
import { z } from 'zod'
import { membersOf } from '#core/input/members.ts'
import { readBytes } from '#platform/http/body.ts'
import { ChainUnavailable, type SelfCheck } from '../../chains/chain.ts'
import { reportUnavailable } from '../../chains/self-check.ts'
import type { PaymentRequirements, X402Payment } from './payment.ts'

const verifyTimeoutMs = 10_000
const settleTimeoutMs = 60_000
const replyBytesMax = 64 * 1024

export type FacilitatorAnswer =
  | { readonly outcome: 'settled'; readonly hash: string }
  /** The facilitator refused. It may have sent the payment nevertheless, so a refusal alone never ends a payment. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/** Receives sealed payments that have passed `verifyPayment`. */
export interface Facilitator {
  verify(payment: X402Payment): Promise<FacilitatorAnswer | { readonly outcome: 'valid' }>
  /** Safe to repeat: the token carries out an authorization once. */
  settle(payment: X402Payment): Promise<FacilitatorAnswer>
  selfCheck(): Promise<SelfCheck>
  close(): Promise<void>
}

/** Codes are passed on. Prose from a facilitator is not. */
const code = z
  .string()
  .regex(/^[a-z0-9_]{1,100}$/)
  .catch('refused')
const verified = z.object({ isValid: z.boolean(), invalidReason: code })
const settled = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), transaction: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }),
  z.object({ success: z.literal(false), errorReason: code }),
])
const supported = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })),
})

export function createFacilitator(options: {
  facilitatorUrl: string
  /** Sent as a bearer token if the facilitator requires one. */
  apiKey?: string | undefined
  network: PaymentRequirements['network']
}): Facilitator {
  const { apiKey, network } = options
  const url = new URL(options.facilitatorUrl)
  const folder = url.pathname.replace(/\/+$/, '')
  const pool = new Pool(url.origin)

  /** Facilitators refuse with any status, so the shape of the reply decides. Throws ChainUnavailable. */
  async function ask<Reply>(
    endpoint: string,
    shape: z.ZodType<Reply>,
    timeoutMs: number,
    payment?: X402Payment,
  ): Promise<Reply> {
    try {
      const reply = await pool.request({
        method: payment === undefined ? 'GET' : 'POST',
        path: `${folder}${endpoint}${url.search}`,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: payment === undefined ? null : JSON.stringify(envelope(payment)),
        headersTimeout: timeoutMs,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const encoding = reply.headers['content-encoding']?.toString()
      const { bytes } = await readBytes(reply.body, encoding, replyBytesMax)
      return shape.parse(JSON.parse(bytes.toString()))
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string }
      throw new ChainUnavailable(`The facilitator gave no answer to ${endpoint} (${code ?? name}).`)
    }
  }

  return {
    verify: (payment) =>
      orUnknown(async () => {
        const reply = await ask('/verify', verified, verifyTimeoutMs, payment)
        return reply.isValid
          ? { outcome: 'valid' }
          : { outcome: 'refused', reason: reply.invalidReason }
      }),
    settle: (payment) =>
      orUnknown(async () => {
        const reply = await ask('/settle', settled, settleTimeoutMs, payment)
        return reply.success
          ? { outcome: 'settled', hash: reply.transaction.toLowerCase() }
          : { outcome: 'refused', reason: reply.errorReason }
      }),
    selfCheck: () =>
      reportUnavailable(async () => {
        const { kinds } = await ask('/supported', supported, verifyTimeoutMs)
        const offered = kinds.some(
          (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
        )
        const problem = `The facilitator does not settle "exact" payments on ${network}.`
        return { problems: offered ? [] : [problem], warnings: [] }
      }),
    close: () => pool.destroy(),
  }
}

async function orUnknown<Answer>(
  work: () => Promise<Answer>,
): Promise<Answer | { readonly outcome: 'unknown'; readonly reason: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return { outcome: 'unknown', reason: error.message }
    throw error
  }
}

/**
 * Sends only the gateway's own fields of `accepted`, so that a payer cannot pass text to the facilitator. Resource and
 * extensions come from the sealed payment; the facilitator's catalog lists the seller by them.
 */
function envelope({ accepted, signed, resource, extensions }: X402Payment): object {
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds } = accepted
  const { name, version } = membersOf(accepted.extra)
  const terms = {
    scheme,
    network,
    amount,
    asset,
    payTo,
    maxTimeoutSeconds,
    extra: { name, version },
  }
  const { authorization, signature } = signed
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      ...(resource === undefined ? {} : { resource, extensions }),
      accepted: terms,
      payload: {
        signature,
        authorization: {
          ...authorization,
          value: String(authorization.value),
          validAfter: String(authorization.validAfter),
          validBefore: String(authorization.validBefore),
        },
      },
    },
    paymentRequirements: terms,
  }
}
