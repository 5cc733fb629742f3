// The settings of performances: the operator's film material, and the prices of the films.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'

/** Source: spec, "Media jobs". */
const centsMin = 1_100
const centsMax = 3_400

const price = (film: string, cents: number) =>
  wholeNumber(centsMin, centsMax).default(cents).describe(`Price of ${film}, in cents.`)

export const performanceSettings = {
  PERFORMANCES_DIR: z
    .string()
    .optional()
    .describe(
      'Folder with manifest.json, which names the base clips, masks, keyframes and soundtracks of performance/generate and lead/generate.',
    ),
  PERFORMANCE_STANDARD_CENTS: price('a performance of 7 seconds', centsMin),
  PERFORMANCE_EXTENDED_CENTS: price('a performance of 29 seconds', centsMax),
  LEAD_STANDARD_CENTS: price('a lead film of 7 seconds', centsMin),
  LEAD_EXTENDED_CENTS: price('a lead film of 29 seconds', centsMax),
} as const
