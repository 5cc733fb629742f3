// Sends an order to one of the two storefronts, prices it and reads the answer.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { HttpReply } from '#core/ports.ts'
import { requireUnfailed } from './failed-work.ts'

const pricing = z.looseObject({ total: z.number().describe('Dollars, tax included.') })

export const purchased = z.looseObject({
  order_id: z.string(),
  status: z.string().nullable(),
  total_usd: z.number(),
  pricing: pricing.nullable(),
})

type Purchased = z.output<typeof purchased>

/** The most that one order may cost: $10,000. */
const orderCentsMax = 1_000_000

/** Charges the total, up to the caller's ceiling. */
export const orderPrice = {
  upToCents: 'maxCost',
  fromCents: 0,
  atMostCents: orderCentsMax,
  basis: 'catalog price and tax',
  settle: ({ output }: { readonly output: Purchased }) => output.total_usd * 100,
} as const

export const issueOrder = ({ order_id }: Purchased) => ({ kind: 'order', id: order_id })

/** Two requests with the same reference are one order. */
export const orderRequest = (body: unknown, reference: string, payUpToCents: number) =>
  ({
    method: 'POST',
    path: '/purchase',
    body,
    headers: { 'idempotency-key': reference },
    payUpToCents,
  }) as const

/** The seller must verify the buyer first. The error has the address for this and the order to repeat the call with. */
export function requireVerified({ status, body }: HttpReply): void {
  if (status !== 403) return
  const { verify_url: verifyUrl, order_id: orderId } = body ?? {}
  if (typeof verifyUrl !== 'string' || typeof orderId !== 'string') throw fail('forbidden')
  throw fail('verification_required', { data: { verify_url: verifyUrl, order_id: orderId } })
}

/** The purchase, in fields that both storefronts share. Secrets for polling are not passed on. */
export function readOrder({ body, paid }: HttpReply) {
  const {
    poll_secret: _secret,
    id,
    order_id: orderId = id,
    pricing: priced = null,
    status,
    ...rest
  } = body
  requireUnfailed(status)
  const total = paid?.usd ?? Number(priced?.total)
  return { ...rest, order_id: orderId, status: status ?? null, pricing: priced, total_usd: total }
}
