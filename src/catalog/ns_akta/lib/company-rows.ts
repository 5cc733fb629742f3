import { z } from '#core/action.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'

export const company = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('Web address or permalink of the company: tesla.com, or tesla.')

const limitMax = 100
/** Pages of records of one company. */
export const recordFields = {
  company,
  limit: z.int().min(1).max(limitMax).default(10).describe('Records at most.'),
  offset: z.int().min(0).max(100_000).default(0).describe('Records to skip.'),
} as const

/** The vendor sells records by tens. */
const tens = (records: number) => Math.ceil(records / 10)

/** By the vendor's price list. */
export const usdPerCredit = 0.05

export const rows = z.looseObject({
  results: z.array(z.looseObject({})),
  count: z.number().nullish(),
  total: z.number().nullish(),
  credits_consumed: z.number().nullish(),
})

export const readCost = ({
  credits_consumed: credits,
}: {
  credits_consumed?: number | null | undefined
}) => (credits == null ? undefined : credits * usdPerCredit)

/** A flat price; a miss is free. */
export const perCompany = (cents: number) => ({
  cents,
  used: ({ results }: z.output<typeof rows>) => (results.length > 0 ? 1 : 0),
})

/** A price for each ten records; only delivered records are charged. */
export const perTen = (cents: number, unit: string) => ({
  cents,
  per: (input: { readonly limit: number }) => tens(input.limit),
  unit,
  atMost: tens(limitMax),
  used: ({ results }: z.output<typeof rows>) => tens(results.length),
})

/** The slash at the end of `path` is part of it: without one the vendor redirects. */
export async function readRows(
  http: ProviderHttp,
  path: string,
  query: Record<string, QueryValue>,
) {
  const { data, count, total, credits_consumed } = await http.get(path, { query })
  // A single record may come without a list, and for an unknown company as an empty object.
  const results = [data ?? []].flat().filter((row) => Object.keys(row ?? {}).length > 0)
  return { results, count, total, credits_consumed }
}
