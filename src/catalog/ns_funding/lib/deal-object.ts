import { z } from '#core/action.ts'

const pageSizeMax = 100

export const paging = {
  page_size: z
    .int()
    .min(1)
    .max(pageSizeMax)
    .default(10)
    .describe('Rows at most; each one returned costs.'),
  page: z.int().min(0).max(10_000).default(0).describe('Page of the results, from 0.'),
} as const

/** The documented fields of a round. Other fields that the vendor returns pass through. */
const dealObject = z.looseObject({
  id: z.string().describe('For ns_funding/deal-investors.'),
  company_id: z.string().nullish(),
  round_type: z.string().nullish(),
  date: z.string().nullish(),
  total_round_raised: z.number().nullish().describe('Dollars.'),
})

export const meta = z
  .looseObject({ total_count: z.number().nullish(), credits_used: z.number().nullish() })
  .nullish()

export const dealRows = z.looseObject({ deals: z.array(dealObject), meta })

/** The price of each returned row. */
export const perRow = {
  cents: 10,
  per: (input: { readonly page_size: number }) => input.page_size,
  unit: 'row returned',
  atMost: pageSizeMax,
  used: ({ deals }: z.output<typeof dealRows>) => deals.length,
} as const

/** By the vendor's price list. */
const usdPerCredit = 0.05

export const readCost = ({ meta: about }: { meta?: z.output<typeof meta> }) =>
  about?.credits_used == null ? undefined : about.credits_used * usdPerCredit

interface Account {
  monthly_credits_remaining?: unknown
  purchased_credits_remaining?: unknown
  credit_source?: unknown
}

/** The vendor's metadata of a page of rows, without the fields about the operator's account. */
export function readMeta(about: Account | undefined) {
  const { monthly_credits_remaining: _, purchased_credits_remaining: __, ...rest } = about ?? {}
  const { credit_source: ___, ...open } = rest
  return open
}
