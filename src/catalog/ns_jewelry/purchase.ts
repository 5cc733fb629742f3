import { defineAction, z } from '#core/action.ts'
import { browse, estimateOrder, exampleShipping, orderFields } from '../lib/storefront.ts'
import {
  issueOrder,
  orderPrice,
  orderRequest,
  purchased,
  readOrder,
} from '../lib/storefront-order.ts'

interface Product {
  readonly variants?: readonly Readonly<Record<string, unknown>>[]
}

const option = z.string().trim().min(1).max(100)

export const purchase = defineAction('purchase', {
  summary: 'Buy a piece of jewelry and have it delivered.',
  notes:
    'Name the piece by its sku, or by product_slug with options such as length and metal. max_cost_cents is required and must cover tax; the total is charged. Delivery estimates come by e-mail. An order cannot be taken back. Pieces are in ns_jewelry/catalog; for other gifts use ns_wine/purchase.',
  synonyms: ['buy jewelry', 'order a necklace', 'gift for her', 'gold ring', 'send a present'],
  questions: [
    'buy this necklace in silver',
    'send my sister a bracelet with a note',
    'order the ring by its sku',
  ],
  timeoutMs: 180_000,
  irrevocable: true,
  input: z
    .strictObject({
      sku: option.optional().describe('Variant, by its number.'),
      product_slug: z
        .string()
        .trim()
        .regex(/^[\w-]{1,150}$/, 'must be the slug of a product')
        .optional()
        .describe('Piece, by its slug.'),
      options: z
        .strictObject({ length: option.optional(), metal: option.optional() })
        .optional()
        .describe('With product_slug: length and metal.'),
      quantity: z.int().min(1).max(10).default(1).describe('Pieces, at most 10.'),
      ...orderFields,
    })
    .refine(({ sku, product_slug }) => (sku === undefined) !== (product_slug === undefined), {
      message: 'Send either sku or product_slug',
    })
    .refine(({ sku, options }) => sku === undefined || options === undefined, {
      path: ['options'],
      message: 'belong to product_slug; a sku says them already',
    }),
  output: purchased,
  price: orderPrice,
  async estimate({ input: { sku, product_slug: slug, options = {}, quantity }, http }) {
    const products: Product[] = await browse(http, slug === undefined ? {} : { slug })
    const variant = products
      .flatMap(({ variants }) => variants ?? [])
      .find((row) =>
        Object.entries(sku === undefined ? options : { sku }).every(
          ([name, value]) => row[name] === value,
        ),
      )
    return estimateOrder(variant?.price_cents, quantity)
  },
  costUsd: ({ total_usd }) => total_usd,
  example: {
    input: {
      product_slug: 'rope-chain',
      options: { length: '18in', metal: 'silver' },
      email: 'ada@example.org',
      shipping: exampleShipping,
      gift_note: 'Happy birthday!\nAda',
    },
    cents: 20_000,
  },
  issues: issueOrder,
  run: ({ input, http, maxCents, purchase: buy }) =>
    buy(async (reference) => readOrder(await http.send(orderRequest(input, reference, maxCents)))),
})
