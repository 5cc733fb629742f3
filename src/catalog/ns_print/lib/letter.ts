// The letter that is printed and mailed. Quotes and orders take the same body.
import { z } from '#core/action.ts'
import type { HttpReply } from '#core/ports.ts'

/** About two thirds of a megabyte of PDF, which fills a request body. */
const pdfCharactersMax = 900_000

const address = z.strictObject({
  name: z.string().trim().min(1).max(100).describe('Name.'),
  company: z.string().trim().max(100).optional().describe('Company.'),
  line1: z.string().trim().min(1).max(100).describe('Street and number.'),
  line2: z.string().trim().max(100).optional().describe('Flat or floor.'),
  city: z.string().trim().min(1).max(100).describe('City.'),
  state: z.string().trim().min(1).max(50).describe('State.'),
  zip: z.string().trim().min(3).max(12).describe('Postal code.'),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'must be a country code such as US')
    .default('US')
    .describe('Country, by its two letters.'),
})

export const letter = z.strictObject({
  pdf: z
    .string()
    .max(pdfCharactersMax)
    .regex(
      /^data:application\/pdf;base64,[A-Za-z0-9+/]+={0,2}$/,
      'must be a PDF as a data URL: data:application/pdf;base64,...',
    )
    .describe('The document, as a data URL.'),
  buyer_name: z.string().trim().min(1).max(100).describe('Who orders.'),
  buyer_email: z.email().max(200).describe('Where the receipt goes.'),
  sender: address.describe('Who the mail is from.'),
  recipient: address.describe('Who the mail is for.'),
  double_sided: z.boolean().default(true).describe('Print on both sides.'),
  color: z.boolean().default(false).describe('Print in colour.'),
  mail_class: z
    .enum(['standard', 'priority', 'express'])
    .default('standard')
    .describe('How fast it is mailed.'),
  certified: z.boolean().default(false).describe('With proof of delivery.'),
  mailpiece_type: z.enum(['letter', 'postcard']).default('letter').describe('Letter or postcard.'),
  postcard_size: z.string().trim().max(20).optional().describe('Size of a postcard: 4x6.'),
})

/** A quote orders nothing, so it needs no id of its own. */
export const quoteRequestId = '00000000-0000-4000-8000-000000000000'

export type Letter = z.output<typeof letter>

/** The vendor's request body: flat addresses, marked as entered by hand. A quote and its order send the same body. */
export function toVendor({ sender, recipient, ...rest }: Letter, requestId: string) {
  const flat = (role: string, { name, company, ...parts }: Letter['sender']) => ({
    [`${role}_name`]: name,
    [`${role}_company`]: company,
    [`${role}_address_type`]: 'Manual',
    [`${role}_address_manual`]: parts,
  })
  return {
    request_id: requestId,
    ...rest,
    ...flat('sender', sender),
    ...flat('recipient', recipient),
  }
}

export const quoteObject = z.looseObject({
  price_usd: z.number(),
  page_count: z.int().nullish(),
  mail_class: z.string().nullish(),
})

/** The quote of a valid letter, or the vendor's list of its errors. */
export function readQuote({ status, body }: HttpReply) {
  const quote = body?.quote
  const price = Number(quote?.price_usd)
  return {
    valid: status < 300 && Number.isFinite(price),
    errors: status < 300 ? [] : (body?.errors ?? []),
    quote: Number.isFinite(price) ? { ...quote, price_usd: price } : null,
  }
}
