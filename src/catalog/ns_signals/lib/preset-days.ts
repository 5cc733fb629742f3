// The days of a time span such as `last_30d`, for lists that the vendor does not filter by day.
import type { datePresets } from './time-span.ts'

export type DatePreset = (typeof datePresets)[number]

/** Both days belong to the span. */
export interface DaySpan {
  readonly first: string
  readonly last: string
}

const monthsPerQuarter = 3
const daysPerWeek = 7

/** Days are those of UTC, and weeks begin on Monday. */
export function daysOf(preset: DatePreset, nowMs: number): DaySpan {
  const now = new Date(nowMs)
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  /** Counts days and months over their ends, as Date.UTC does. */
  const at = (ofMonth: number, ofDay: number, ofYear = year) =>
    new Date(Date.UTC(ofYear, ofMonth, ofDay)).toISOString().slice(0, 10)
  const span = (first: string, last: string): DaySpan => ({ first, last })
  const until = (first: string) => span(first, at(month, date))
  const monday = date - ((now.getUTCDay() + daysPerWeek - 1) % daysPerWeek)
  const quarter = month - (month % monthsPerQuarter)
  const spans: Record<DatePreset, () => DaySpan> = {
    today: () => until(at(month, date)),
    yesterday: () => span(at(month, date - 1), at(month, date - 1)),
    last_7d: () => until(at(month, date - 7)),
    last_14d: () => until(at(month, date - 14)),
    last_30d: () => until(at(month, date - 30)),
    last_60d: () => until(at(month, date - 60)),
    last_90d: () => until(at(month, date - 90)),
    last_6m: () => until(at(month - 6, date)),
    last_1y: () => until(at(month, date, year - 1)),
    last_2y: () => until(at(month, date, year - 2)),
    this_week: () => until(at(month, monday)),
    this_month: () => until(at(month, 1)),
    this_quarter: () => until(at(quarter, 1)),
    this_year: () => until(at(0, 1)),
    last_week: () => span(at(month, monday - daysPerWeek), at(month, monday - 1)),
    last_month: () => span(at(month - 1, 1), at(month, 0)),
    last_quarter: () => span(at(quarter - monthsPerQuarter, 1), at(quarter, 0)),
    last_year: () => span(at(0, 1, year - 1), at(11, 31, year - 1)),
  }
  return spans[preset]()
}
