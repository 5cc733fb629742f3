// The settings of the machine. Those of larger parts stand in their folders.
import { z } from 'zod'

export const databaseSettings = {
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional()
    .describe(
      'A PostgreSQL server (14 or newer), which several gateways may share. Unset: the embedded server.',
    ),
} as const

export const signerSettings = {
  STATUS_URL_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Key that signs the status addresses of wallets’ jobs and the addresses of files. Unset: generated at the first start and shared through the database.',
    ),
} as const

export const logSettings = {
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest severity that is logged.'),
} as const
