// An order at one of the two storefronts: how it is sent, what it costs, and how the answer is read.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { HttpReply } from '#core/ports.ts'

const pricing = z.looseObject({ total: z.number().describe('Dollars, tax included.') })

export const purchased = z.looseObject({
  order_id: z.string(),
  status: z.string().nullable(),
  total_usd: z.number(),
  pricing: pricing.nullable(),
})

type Purchased = z.output<typeof purchased>

/** The most that one order may come to: $10,000. */
const orderCentsMax = 1_000_000

/** The total is charged, within what the caller allows. */
export const orderPrice = {
  upToCents: 'maxCost',
  fromCents: 0,
  atMostCents: orderCentsMax,
  basis: 'catalog price and tax',
  settle: ({ output }: { readonly output: Purchased }) => output.total_usd * 100,
} as const

export const issueOrder = ({ order_id }: Purchased) => ({ kind: 'order', id: order_id })

/** Sent twice under one reference, it is one order. */
export const orderRequest = (body: unknown, reference: string, payUpToCents: number) =>
  ({
    method: 'POST',
    path: '/purchase',
    body,
    headers: { 'idempotency-key': reference },
    payUpToCents,
  }) as const

/** The seller must see who buys before it sells: the caller is told where, and with which order to come back. */
export function requireVerified({ status, body }: HttpReply): void {
  if (status !== 403) return
  const { verify_url: verifyUrl, order_id: orderId } = body ?? {}
  if (typeof verifyUrl !== 'string' || typeof orderId !== 'string') throw fail('forbidden')
  throw fail('verification_required', { data: { verify_url: verifyUrl, order_id: orderId } })
}

/** What was bought, in the words of both storefronts. Secrets for polling stay here. */
export function readOrder({ body, paid }: HttpReply) {
  const {
    poll_secret: _secret,
    id,
    order_id: orderId = id,
    pricing: priced = null,
    status,
    ...rest
  } = body
  const total = paid?.usd ?? Number(priced?.total)
  return { ...rest, order_id: orderId, status: status ?? null, pricing: priced, total_usd: total }
}
