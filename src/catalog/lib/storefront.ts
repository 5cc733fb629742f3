// Shared by the two storefronts: catalogs, shipping addresses and gift notes.
import { type Estimate, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

const giftNoteCharactersMax = 300
/** Above the sales tax of every place in the United States: that of its state, county and city together. */
const taxRateMax = 0.15
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

/** The buyer, the shipping address and the gift note. */
export const orderFields = {
  email: z.email().max(200).describe('The buyer’s e-mail address.'),
  shipping: shipping.describe('Where it goes, within the US.'),
  gift_note: giftNote,
} as const

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

/**
 * The cost of this many pieces without tax, and with the highest one; undefined if the catalog has no price for them.
 * The sellers price an order as its pieces and tax, and ship without a charge of its own.
 */
export function estimateOrder(cents: unknown, quantity: number): Estimate | undefined {
  if (typeof cents !== 'number' || cents < 0) return undefined
  const minCents = cents * quantity
  return { minCents, maxCents: Math.ceil(minCents * (1 + taxRateMax)) }
}

/** For the examples of purchases. */
export const exampleShipping = {
  name: 'Ada Example',
  address_1: '1 Main St',
  city: 'Denver',
  state: 'CO',
  zip: '80202',
}
