import { lastDays, startOfDay, timeZone } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { addressOf } from '../router.ts'

/** Where the calls of the last days are listed, today among them. */
export const callsOfDays = (days: number, filters: Readonly<Record<string, string>>) =>
  addressOf(
    `/operator/transactions?${new URLSearchParams({ type: 'call', from: lastDays(days, new Date())[0] ?? '', ...filters })}`,
  )

export const daysShown = 30

/** The calls that add up to a sum. Without `free: ''`, only those that may have brought something. */
export const rowsOf = (filters: Readonly<Record<string, string>>) => callsOfDays(daysShown, filters)

export type Revenue = AnswerOf<'GET /api/v1/admin/revenue'>
export type RevenueRow = Revenue['rows'][number]

/** The days of the reader, as the lists of calls take them. */
export const shownDays = () => ({
  from: startOfDay(daysShown - 1, new Date()).toISOString(),
  time_zone: timeZone(),
})

export const readRevenue = (by: 'day' | 'service' | 'action' | 'error', signal: AbortSignal) =>
  tollway.request('GET /api/v1/admin/revenue', { query: { by, ...shownDays() }, signal })
