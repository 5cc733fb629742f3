// What the calls of an account have cost, summed by the gateway.
import { startOfDay, timeZone } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'

export type UsageRow = AnswerOf<'GET /api/v1/usage'>['rows'][number]

export const daysShown = 30

/** The last days, today included, in the reader's time zone. */
export const readUsage = (by: 'day' | 'action' | 'key', signal: AbortSignal) =>
  tollway.request('GET /api/v1/usage', {
    query: {
      by,
      from: startOfDay(daysShown - 1, new Date()).toISOString(),
      time_zone: timeZone(),
    },
    signal,
  })
