// The settings of calls and jobs.
import { commaList, wholeNumber } from '#core/settings.ts'

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

export const canarySettings = {
  CANARY_INTERVAL_HOURS: wholeNumber(0, 8_760)
    .default(0)
    .describe(
      'Hours between the checks of each provider. Each check costs what its vendor takes for one call. 0: only when the operator asks.',
    ),
  CANARY_PROVIDERS: commaList
    .prefault('')
    .describe(
      'The providers that are checked on the schedule, by namespace, with commas between them. Empty: all that are configured.',
    ),
} as const
