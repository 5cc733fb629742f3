import type { z } from '#core/action.ts'

interface Ordered {
  readonly product?: unknown
  readonly product_id?: unknown
}

/** Callers may write `product` for `product_id`. The estate accepts only the second. */
export const productOf = (input: Ordered) => input.product_id ?? input.product

export function requireOneProduct(input: Ordered, context: z.RefinementCtx) {
  const sent = [input.product, input.product_id].filter((product) => product !== undefined)
  if (sent.length === 1) return
  const message = sent.length === 0 ? 'is needed' : 'is sent as product_id too: send one of them'
  context.addIssue({ code: 'custom', path: ['product'], message })
}
