// The settings of files.
import { wholeNumber } from '#core/settings.ts'

export const fileSettings = {
  FILES_QUOTA_MB: wholeNumber(0, 1_000_000_000)
    .default(2_000)
    .describe(
      'Megabytes of files that an account or a wallet may store, unless the operator gives an account a quota of its own.',
    ),
} as const
