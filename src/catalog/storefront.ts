// What the two storefronts share: shipping addresses, gift notes, totals and the checks before anything is paid.
import { z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { HttpReply, ProviderHttp } from '#core/ports.ts'

const giftNoteCharactersMax = 300
const line = z.string().trim().min(1).max(100)

/** Line breaks are kept. */
const giftNote = z
  .string()
  .max(giftNoteCharactersMax)
  .optional()
  .describe('Note that goes with it, at most 300 characters; line breaks are kept.')

const usState = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be the two letters of a state')

const shipping = z.strictObject({
  name: line.describe('Who gets it.'),
  address_1: line.describe('Street and number.'),
  address_2: z.string().trim().max(100).optional().describe('Flat or floor.'),
  city: line.describe('City.'),
  state: usState.describe('State, by its two letters.'),
  zip: z
    .string()
    .trim()
    .regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code')
    .describe('ZIP code.'),
  country: z.literal('US').default('US').describe('US only.'),
})

/** Who buys, where it goes, and what is written on the card. */
export const orderFields = {
  email: z.email().max(200).describe('The buyer’s e-mail address.'),
  shipping: shipping.describe('Where it goes, within the US.'),
  gift_note: giftNote,
} as const

const pricing = z.looseObject({ total: z.number().describe('Dollars, tax included.') })

export const purchased = z.looseObject({
  order_id: z.string(),
  status: z.string().nullable(),
  total_usd: z.number(),
  pricing: pricing.nullable(),
})

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

export const browsing = z
  .strictObject({
    category: z.string().trim().min(1).max(100).optional().describe('Only this category.'),
    slug: z
      .string()
      .trim()
      .regex(/^[\w-]{1,150}$/, 'must be the slug of a product')
      .optional()
      .describe('One product.'),
  })
  .refine(({ category, slug }) => category === undefined || slug === undefined, {
    message: 'Send category or slug, not both',
  })

/** The products of a storefront, or one of them in full. */
export async function browse(http: ProviderHttp, { category, slug }: z.output<typeof browsing>) {
  if (slug === undefined)
    return (await http.get('/catalog', { query: { category } })).products ?? []
  const missing = explain(
    'not_found',
    `There is no product ${slug}. Leave slug out to see them all.`,
  )
  const found = await http.get(path`/catalog/${slug}`).catch(missing)
  return [found.product ?? found]
}
