// The settings of boxes in which callers run commands.
import { wholeNumber } from '#core/settings.ts'

export const computeSettings = {
  BOXES_AT_ONCE: wholeNumber(0, 10_000)
    .optional()
    .describe(
      'Sandboxes and sessions that may be open on this machine at once. 0: none are sold. Unset: as many as fill half of its memory, at most 40.',
    ),
  BOXES_PER_ACCOUNT: wholeNumber(1, 10_000)
    .optional()
    .describe(
      'How many of BOXES_AT_ONCE one account or wallet may have open at once. Unset: half of them.',
    ),
  BOX_MEMORY_MB: wholeNumber(128, 1_000_000)
    .default(512)
    .describe('Memory of a sandbox or session, its files included.'),
  BOX_HOME_MB: wholeNumber(16, 1_000_000)
    .default(256)
    .describe('Files of a sandbox or session. They are kept in its memory.'),
  BOX_HOMES_MB: wholeNumber(0, 1_000_000_000)
    .default(20_000)
    .describe(
      'Files of all sessions of sess_d and sess_e that DATA_DIR keeps. An open one counts with BOX_HOME_MB. New ones are refused beyond it.',
    ),
  BOX_NETWORK_MB: wholeNumber(0, 1_000_000)
    .default(0)
    .describe(
      'What a sandbox or session may send to the internet and receive from it, by HTTP and HTTPS to public addresses. 0: they reach no network.',
    ),
} as const
