// Companies and people are profiles: the vendor neither filters them by day nor sorts people. This does it, for the
// rows of the page that was asked for.
import { fail } from '#core/errors.ts'
import { type DatePreset, type DaySpan, daysOf } from './preset-days.ts'

type Row = Readonly<Record<string, unknown>>

interface Asked {
  readonly date_preset?: DatePreset | undefined
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
}

/** The names of the day on which the vendor took a profile up, best first. */
const dayFields = ['discoveredAt', 'discovered_at', 'createdAt', 'created_at']
const farPast = '0000-01-01'
const farFuture = '9999-12-31'

/** Undefined without a time span. */
export function spanOf({ date_preset: preset, dateFrom, dateTo }: Asked, nowMs: number) {
  if (preset !== undefined) return daysOf(preset, nowMs)
  if (dateFrom === undefined && dateTo === undefined) return undefined
  return { first: dateFrom ?? farPast, last: dateTo ?? farFuture }
}

/** Throws `upstream_error` if no row of a page has a day, because an empty answer would say that no row fits. */
export function keepDays<Page extends { readonly results: unknown }>(
  page: Page,
  span: DaySpan | undefined,
): Page {
  const { results } = page
  if (span === undefined || !Array.isArray(results) || results.length === 0) return page
  const dated = results.map((row: Row) => ({ row, day: dayOf(row) }))
  const undated = dated.filter(({ day }) => day === undefined).length
  if (undated === dated.length) {
    throw fail('upstream_error', {
      message:
        'The vendor told no day for these profiles, so they cannot be filtered. Nothing was charged; ask without days.',
    })
  }
  const kept = dated.filter(({ day = '' }) => span.first <= day && day <= span.last)
  return {
    ...page,
    results: kept.map(({ row }) => row),
    filtered: { rows_read: dated.length, rows_without_day: undated, ...span },
  }
}

/** Rows without the value come last in either direction. */
export function sortRows<Page extends { readonly results: unknown }>(
  page: Page,
  { by, order = 'asc' }: { by: string | undefined; order?: 'asc' | 'desc' | undefined },
): Page {
  const { results } = page
  if (by === undefined || !Array.isArray(results)) return page
  const read = (row: Row) => (by === 'discovered_at' ? dayOf(row) : textOf(row?.[by]))
  const direction = order === 'asc' ? 1 : -1
  const sorted = results.toSorted((one: Row, other: Row) => {
    const [left, right] = [read(one), read(other)]
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined)
    return direction * left.localeCompare(right)
  })
  return { ...page, results: sorted }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const dayOf = (row: Row | null) =>
  dayFields
    .map((name) => textOf(row?.[name])?.slice(0, farPast.length))
    .find((day) => day !== undefined)
