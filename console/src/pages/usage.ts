// What the calls of an account have cost, summed by the gateway.
import { startOfDay, timeZone } from '../format/time.ts'
import { tollway } from '../gateway.ts'

type UsageAnswer = Awaited<ReturnType<typeof tollway.request<'GET /api/v1/usage'>>>

/** The groups of a row stand beside its sums. */
export type UsageRow = UsageAnswer['rows'][number] & {
  readonly day?: string
  readonly action?: string
  readonly key_id?: string | null
}

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
