import { defineAction, z } from '#core/action.ts'
import { letter, quoteObject, quoteRequestId, readQuote, toVendor } from './lib/letter.ts'

export const validate = defineAction('validate', {
  summary: 'Get the price of printing and mailing a PDF, and what is wrong with it.',
  notes:
    'Free. Takes the same body as ns_print/order: ask here first, then order with max_cost_cents at or above quote.price_usd. errors names each field that the printer cannot take.',
  synonyms: ['print quote', 'mail price', 'postage', 'check a letter', 'printing cost'],
  questions: [
    'what does it cost to mail this letter?',
    'is this PDF printable?',
    'how many pages will be billed?',
  ],
  keyless: true,
  input: letter,
  output: z.looseObject({
    provider: z.string(),
    valid: z.boolean(),
    errors: z.array(z.looseObject({})),
    quote: quoteObject.nullable(),
  }),
  price: 'free',
  example: {
    input: {
      pdf: 'data:application/pdf;base64,JVBERi0xLjQK',
      buyer_name: 'Ada Example',
      buyer_email: 'ada@example.org',
      sender: {
        name: 'Ada Example',
        line1: '1 Main St',
        city: 'Denver',
        state: 'CO',
        zip: '80202',
      },
      recipient: {
        name: 'Bob Example',
        line1: '2 Oak Ave',
        city: 'Austin',
        state: 'TX',
        zip: '78701',
      },
    },
    cents: 0,
  },
  async run({ input, http }) {
    const reply = await http.send({
      method: 'POST',
      path: '/orders/validate',
      body: toVendor(input, quoteRequestId),
      accept: [400, 422],
    })
    return { provider: 'PostalForm', ...readQuote(reply) }
  },
})
