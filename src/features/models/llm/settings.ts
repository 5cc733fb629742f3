// The settings of language models.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'

export const inferenceSettings = {
  INFERENCE_DAY_CENTS_MAX: wholeNumber(0, 100_000_000)
    .default(1_000)
    .describe('The most that one account may spend on language models per day (UTC), in cents.'),
  INFERENCE_DURABLE: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'On: each chat waits until its hold and charge are written to disk. Off: a power failure may lose the charges of the last second.',
    ),
  RESPONSES_KEPT: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Off: responses of language models are not kept, even if their callers ask for it.'),
  LLM_CONFIG: z
    .string()
    .optional()
    .describe(
      'A JSON file with upstreams, tiers and prices of language models. Changes are picked up while the gateway runs.',
    ),
} as const
