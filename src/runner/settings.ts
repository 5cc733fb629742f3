// The settings of calls and jobs.
import { wholeNumber } from '#core/settings.ts'

export const callSettings = {
  CALLS_IN_FLIGHT_MAX: wholeNumber(1, 100_000)
    .default(100)
    .describe('How many paid calls of one account may run at once.'),
} as const

export const jobSettings = {
  JOBS_AT_ONCE: wholeNumber(1, 1_000)
    .default(4)
    .describe('How many jobs this gateway works on at once. Others wait in the queue.'),
} as const

export const cacheSettings = {
  RESPONSE_CACHE_MB: wholeNumber(0, 100_000)
    .default(64)
    .describe('Megabytes of memory for the response cache of public records. 0 turns it off.'),
} as const
