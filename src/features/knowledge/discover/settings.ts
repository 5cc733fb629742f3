// The settings of discover.
import { z } from 'zod'

export const discoverSettings = {
  DISCOVER_MODEL: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'On: discover compares meanings with a sentence model, which uses about 460 MB of memory while in use. Off: it compares words only.',
    ),
} as const
