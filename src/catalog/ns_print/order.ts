import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { letter, toVendor } from './lib/letter.ts'
import { priceLetter } from './lib/letter-price.ts'
import { validate } from './validate.ts'

/** The highest price of printing and mailing one document: $500. */
const letterCentsMax = 50_000

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
  price: {
    upToCents: 'maxCost',
    fromCents: 0,
    atMostCents: letterCentsMax,
    basis: 'the quote of ns_print/validate',
    settle: ({ output }) => output.price_usd * 100,
  },
  estimate: async ({ input, http }) => {
    const { cents } = await priceLetter(http, input)
    return { minCents: cents, maxCents: cents }
  },
  costUsd: ({ price_usd }) => price_usd,
  example: { input: validate.example.input as z.input<typeof letter>, cents: 500 },
  issues: ({ order_id }) => ({ kind: 'order', id: order_id }),
  async run({ input, http, maxCents, purchase }) {
    const { usd, cents } = await priceLetter(http, input)
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
      requireUnfailed(status)
      return { ...rest, order_id, status, price_usd: paid?.usd ?? usd }
    })
  },
})
