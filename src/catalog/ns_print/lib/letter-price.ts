// Asks the printer for the price of a letter.
import { fail } from '#core/errors.ts'
import type { ProviderHttp } from '#core/ports.ts'
import { type Letter, quoteRequestId, readQuote, toVendor } from './letter.ts'

/**
 * The printer's price for this letter, in cents. Throws `bad_request` with the printer's objections. Orders nothing.
 */
export async function priceLetter(http: ProviderHttp, input: Letter) {
  const reply = await http.send({
    method: 'POST',
    path: '/orders/validate',
    body: toVendor(input, quoteRequestId),
    accept: [400, 422],
  })
  const { valid, errors, quote } = readQuote(reply)
  if (!valid || quote === null) {
    throw fail('bad_request', {
      message: 'The printer cannot take this letter; data.errors says why. Nothing was ordered.',
      data: { errors },
    })
  }
  return { usd: quote.price_usd, cents: Math.ceil(quote.price_usd * 100) }
}
