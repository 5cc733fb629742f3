// The settings of consult.
import { wholeNumber } from '#core/settings.ts'

export const consultSettings = {
  CONSULT_MODEL_CENTS: wholeNumber(0, 100)
    .default(0)
    .describe(
      'The most that language models may cost the operator for one call of consult, which is free for callers. 0: consult uses no model.',
    ),
} as const
