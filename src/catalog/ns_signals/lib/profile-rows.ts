// Companies and people are profiles: the vendor filters neither by day. This does it, for the rows of the page that was
// asked for.
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

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const dayOf = (row: Row | null) =>
  dayFields
    .map((name) => textOf(row?.[name])?.slice(0, farPast.length))
    .find((day) => day !== undefined)
