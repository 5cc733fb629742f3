import { z } from '#core/action.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'

export const text = z.string().trim().min(1).max(1_000).optional()
/** The vendor takes lists as one string. */
export const commaList = z
  .string('must be one string with commas, not an array')
  .trim()
  .min(1)
  .max(4_000)
  .optional()
export const whole = z.int().min(0).optional()

export const paging = {
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe('Rows; the price is the same for one or 100.'),
  page: z.int().min(1).max(10_000).default(1).describe('Page of the results, from 1.'),
  search: text.describe('Free text.'),
  countries: commaList.describe('Country codes, with commas: US,GB,DE.'),
} as const

/** The industry of the company. */
export const topics = {
  categories: commaList.describe('Industries, with commas.'),
  subcategories: commaList.describe('Finer categories, with commas: ai,fintech.'),
} as const

/** The amount paid for a share of the company or for all of it. */
export const amounts = {
  amount_min: whole.describe('Least amount, in dollars.'),
  amount_max: whole.describe('Largest amount, in dollars.'),
} as const

/** The size and age of the company. */
export const companySize = {
  employee_count_min: whole.describe('Fewest employees.'),
  employee_count_max: whole.describe('Most employees.'),
  founded_year_min: whole.describe('Founded in this year or later.'),
  founded_year_max: whole.describe('Founded in this year or earlier.'),
} as const

export const rows = z.looseObject({
  results: z.array(z.looseObject({})),
  pagination: z
    .looseObject({ totalCount: z.number().nullish(), hasNextPage: z.boolean().nullish() })
    .nullish(),
  filtered: z
    .looseObject({
      rows_read: z.int().describe('Rows of the page before it was filtered.'),
      rows_without_day: z.int().describe('Rows that were left out because they tell no day.'),
      first: z.iso.date().describe('First day of the time span.'),
      last: z.iso.date().describe('Last day of the time span.'),
    })
    .optional()
    .describe('What the gateway left out of the page, where it filters by day itself.'),
})

export async function readRows(
  http: ProviderHttp,
  path: string,
  query: Readonly<Record<string, QueryValue>>,
) {
  const { data, pagination } = await http.get(path, { query })
  return { results: data, pagination }
}
