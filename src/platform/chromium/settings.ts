// The settings of Chromium.
import { z } from 'zod'

export const chromiumSettings = {
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe(
      'Path of Chromium, for pages that need JavaScript. Unset: the usual places are searched.',
    ),
  CHROMIUM_WHOLE_PATH: z
    .string()
    .optional()
    .describe(
      'Path of a full Chromium beside a headless shell, for the second renderer and the stealth rung. Unset: searched for, unless CHROMIUM_PATH is set.',
    ),
  CHROMIUM_SANDBOX: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Off: Chromium runs without its sandbox. Use this only inside an unprivileged container.',
    ),
} as const
