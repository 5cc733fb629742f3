import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'

export const orderStatus = defineAction('order_status', {
  summary: 'Ask how far an order of printed mail is.',
  notes:
    'Free. Takes the order_id that ns_print/order answered with; other people’s orders are not found.',
  synonyms: ['order status', 'has it been mailed', 'tracking', 'print order', 'delivery status'],
  questions: [
    'has my letter been mailed?',
    'where is my print order?',
    'did the printer accept it?',
  ],
  keyless: true,
  input: z.strictObject({
    order_id: z.string().trim().min(1).max(200).describe('From ns_print/order.'),
  }),
  output: z.looseObject({
    provider: z.string(),
    order_id: z.string(),
    status: z.string().nullable(),
  }),
  price: 'free',
  example: { input: { order_id: 'ord_123' }, cents: 0 },
  owned: ({ order_id }) => ({ kind: 'order', id: order_id }),
  async run({ input, http }) {
    const { id: _id, status = null, ...rest } = await http.get(path`/orders/${input.order_id}`)
    return { provider: 'PostalForm', ...rest, order_id: input.order_id, status }
  },
})
