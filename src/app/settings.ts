// The settings of the gateway as a whole.
import { z } from 'zod'
import { commaList } from '#core/settings.ts'

export const gatewaySettings = {
  DATA_DIR: z
    .string()
    .default('./data')
    .describe(
      'Folder for the embedded database, the files of callers and the generated admin token.',
    ),
  OWN_NS: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .default('tollway')
    .describe('Namespace of the gateway’s own actions.'),
  OPERATOR_CONTACT: z
    .string()
    .optional()
    .describe(
      'Your e-mail address or URL, sent in the User-Agent. Some public registries refuse requests without one.',
    ),
  TOLLWAY_PLUGINS: commaList
    .prefault('')
    .describe(
      'Plugins: packages with commas between them, as paths (./spend-rules) or names of installed packages. They run with all rights of the gateway.',
    ),
  TOLLWAY_PROVIDERS: commaList
    .prefault('')
    .describe(
      'Providers of your own beside the catalog: modules with commas between them, as paths (./tides.ts) or packages.',
    ),
  STARTER_ACCOUNT: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'On: the first start creates an account with 1000¢ of local credit. Its key is written to DATA_DIR/starter-key, and shown on a terminal.',
    ),
} as const
