// Every list is sorted by the same five fields. The vendor sorts each list by some of them; by the others this sorts
// the rows of the page that was asked for.
import { z } from '#core/action.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'
import { readRows } from './signal-fields.ts'

const sortFields = [
  'occurred_at',
  'discovered_at',
  'amount',
  'employee_count',
  'founded_year',
] as const

type SortField = (typeof sortFields)[number]
type Order = 'asc' | 'desc'
type Row = Readonly<Record<string, unknown>>

/** The vendor's own names of the fields by which it sorts a list. */
export type VendorOrder = Readonly<Partial<Record<SortField, string>>>

/** Where a row tells each field, best first. Source: the response examples of docs.trysignalbase.com. */
const placesInRow: Readonly<Record<SortField, readonly string[]>> = {
  occurred_at: ['occurredAt', 'occurred_at', 'announcedDate', 'datePosted', 'matched_signal.date'],
  discovered_at: ['discoveredAt', 'discovered_at', 'createdAt', 'created_at'],
  amount: ['amount', 'ticketSizeMin'],
  employee_count: ['companyEmployeeCount', 'employeeCount', 'employee_count', 'company.size_band'],
  founded_year: ['companyFoundedYear', 'foundedYear', 'founded_year'],
}

export function sorting(vendor: VendorOrder) {
  const [byVendor, byGateway] = [true, false].map((isVendor) =>
    sortFields.filter((field) => field in vendor === isVendor).join(', '),
  )
  const told = [
    byVendor && `The vendor sorts the whole list by ${byVendor}.`,
    byGateway &&
      `The gateway sorts the rows of the page by ${byGateway}; rows without the field come last.`,
  ]
  return {
    sort_by: z.enum(sortFields).optional().describe(told.filter(Boolean).join(' ')),
    sort_order: z.enum(['asc', 'desc']).optional().describe('In which direction; desc unless set.'),
  }
}

interface Sorted {
  readonly sort_by?: SortField | undefined
  readonly sort_order?: Order | undefined
}

/** Asks for the rows in the wanted order, or puts them into it. */
export async function readSorted(
  http: ProviderHttp,
  path: string,
  { sort_by: by, sort_order: order, ...query }: Sorted & Readonly<Record<string, QueryValue>>,
  vendor: VendorOrder,
) {
  if (by !== undefined && !(by in vendor)) {
    return sortRows(await readRows(http, path, query), { by, order })
  }
  const sort_by = by && vendor[by]
  return await readRows(http, path, { ...query, sort_by, sort_order: order })
}

/** Rows without the value come last in either direction. */
export function sortRows<Page extends { readonly results: unknown }>(
  page: Page,
  { by, order = 'desc' }: { by: SortField | undefined; order?: Order | undefined },
): Page {
  const { results } = page
  if (by === undefined || !Array.isArray(results)) return page
  const read = by.endsWith('_at') ? textOf : numberOf
  const keyOf = (row: Row | null) =>
    placesInRow[by].map((place) => read(valueAt(row, place))).find((value) => value !== undefined)
  const direction = order === 'asc' ? 1 : -1
  const sorted = results.toSorted((one: Row, other: Row) => {
    const [left, right] = [keyOf(one), keyOf(other)]
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined)
    if (left === right) return 0
    return left < right ? -direction : direction
  })
  return { ...page, results: sorted }
}

const valueAt = (row: unknown, place: string) =>
  place.split('.').reduce((part, name) => (part as Row | null | undefined)?.[name], row)

/** Days and times of ISO 8601 are in the order of their texts. */
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** A number, or the first one of a text: `51-200`. */
function numberOf(value: unknown) {
  const found = typeof value === 'string' ? /\d[\d,]*(?:\.\d+)?/.exec(value)?.[0] : value
  const number = typeof found === 'string' ? Number(found.replaceAll(',', '')) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
