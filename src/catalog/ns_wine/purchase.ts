import { defineAction, z } from '#core/action.ts'
import { browse, estimateOrder, exampleShipping, orderFields } from '../lib/storefront.ts'
import {
  issueOrder,
  orderPrice,
  orderRequest,
  purchased,
  readOrder,
  requireVerified,
} from '../lib/storefront-order.ts'
import { productOf, requireOneProduct } from './lib/product.ts'

/** States to which the estate may not ship. */
const blockedStates = new Set(['AK', 'DE', 'HI', 'MI', 'MS', 'NH', 'ND', 'RI', 'SD', 'UT', 'VA'])
const bottlesMax = 12

const productId = z.union([z.string().trim().min(1).max(100), z.int()]).optional()

export const purchase = defineAction('purchase', {
  summary: 'Buy wine from an estate and have it delivered in the United States.',
  notes:
    'For people of 21 and over: the first call may be answered with 403 verification_required, a verify_url and an order_id; open it, then repeat the call with that order_id. Tax comes from the state, and max_cost_cents, which is required, must cover it; the total is charged. Not to AK, DE, HI, MI, MS, NH, ND, RI, SD, UT, VA. An order cannot be taken back. Products are in ns_wine/catalog; for other gifts use ns_jewelry/purchase.',
  synonyms: ['order wine', 'buy a bottle', 'wine gift', 'wine delivery', 'send wine'],
  questions: [
    'send a bottle of red to my parents',
    'order six bottles of this wine',
    'buy a wine gift with a note',
  ],
  timeoutMs: 180_000,
  irrevocable: true,
  errors: ['verification_required'],
  input: z
    .strictObject({
      product: productId.describe('Id of the wine, from ns_wine/catalog.'),
      product_id: productId.describe('The same as product.'),
      quantity: z.int().min(1).max(bottlesMax).default(1).describe('Bottles, at most 12.'),
      ...orderFields,
      shipping: orderFields.shipping.refine(({ state }) => !blockedStates.has(state), {
        path: ['state'],
        message: 'is one that the estate may not ship to',
      }),
      order_id: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('From the answer that asked for verification.'),
    })
    .superRefine(requireOneProduct),
  output: purchased,
  price: orderPrice,
  estimate: async ({ input, http }) => {
    const products: Record<string, unknown>[] = await browse(http, {})
    const wine = products.find(({ id }) => String(id) === String(productOf(input)))
    return estimateOrder(wine?.price_cents, input.quantity)
  },
  costUsd: ({ total_usd }) => total_usd,
  example: {
    input: {
      product_id: 'cab-2019',
      email: 'ada@example.org',
      shipping: exampleShipping,
    },
    cents: 20_000,
  },
  owned: ({ order_id: id }) => (id === undefined ? undefined : { kind: 'order', id }),
  issues: issueOrder,
  run: ({ input, http, maxCents, purchase: buy }) =>
    buy(async (reference) => {
      const { product: _product, ...rest } = input
      const body = { ...rest, product_id: productOf(input) }
      const order = orderRequest(body, reference, maxCents)
      const reply = await http.send({ ...order, accept: [403] })
      requireVerified(reply)
      return readOrder(reply)
    }),
})
