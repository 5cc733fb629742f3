import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { letter, quoteRequestId, readQuote, toVendor } from './letter.ts'
import { validate } from './validate.ts'

export const order = defineAction('order', {
  summary: 'Print a PDF and mail it to an address.',
  notes:
    'Ask ns_print/validate for the price first, free and with the same body. max_cost_cents is required: it is held, the quoted price is charged, and a price above it is refused before anything is ordered. Poll with ns_print/order_status and the order_id. What is mailed cannot be taken back. For a fax use ns_fax/send.',
  synonyms: [
    'mail a letter',
    'send a letter',
    'print and mail',
    'certified mail',
    'postal letter',
    'snail mail',
    'send by post',
  ],
  questions: [
    'mail this contract to my landlord',
    'send a certified letter for me',
    'can you print this and post it?',
  ],
  timeoutMs: 180_000,
  irrevocable: true,
  input: letter,
  output: z.looseObject({
    order_id: z.string().describe('For ns_print/order_status.'),
    status: z.string().nullable(),
    price_usd: z.number(),
  }),
  price: { upToCents: 'maxCost', settle: ({ output }) => output.price_usd * 100 },
  costUsd: ({ price_usd }) => price_usd,
  example: { input: validate.example.input as z.input<typeof letter>, cents: 500 },
  issues: ({ order_id }) => ({ kind: 'order', id: order_id }),
  async run({ input, http, maxCents, purchase }) {
    const checked = readQuote(
      await http.send({
        method: 'POST',
        path: '/orders/validate',
        body: toVendor(input, quoteRequestId),
        accept: [400, 422],
      }),
    )
    const { quote } = checked
    if (!checked.valid || quote === null) {
      throw fail('bad_request', {
        message: 'The printer cannot take this letter; data.errors says why. Nothing was ordered.',
        data: { errors: checked.errors },
      })
    }
    const cents = Math.ceil(quote.price_usd * 100)
    if (cents > maxCents) {
      throw fail('max_cost_exceeded', {
        message: `The printer asks for ${cents}¢, above your max_cost_cents of ${maxCents}. Nothing was ordered.`,
        data: { price_cents: cents },
      })
    }
    return await purchase(async (reference) => {
      const { body, paid } = await http.send({
        method: 'POST',
        path: '/orders',
        body: toVendor(input, reference),
        headers: { 'idempotency-key': reference },
        payUpToCents: cents,
      })
      const { id, order_id = id, status = null, ...rest } = body
      return { ...rest, order_id, status, price_usd: paid?.usd ?? quote.price_usd }
    })
  },
})
