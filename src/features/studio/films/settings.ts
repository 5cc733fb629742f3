// The settings of films.
import { wholeNumber } from '#core/settings.ts'

export const filmSettings = {
  RENDERS_AT_ONCE: wholeNumber(1, 100)
    .default(1)
    .describe(
      'How many films this gateway renders at once. Others wait. Each uses all cores. One more place is kept for previews and short films.',
    ),
} as const
