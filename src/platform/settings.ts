// The settings of the machine. Those of larger parts stand in their folders.
import { z } from 'zod'

export const databaseSettings = {
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional()
    .describe(
      'A PostgreSQL server (14 or newer), which several gateways may share. Several hosts with commas between them are a primary and its standbys: the one that takes writes is used. Unset: the embedded server.',
    ),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional()
    .describe(
      'Where DATABASE_URL leads to a pooler such as PgBouncer in transaction mode: the address of PostgreSQL itself, for the few connections that need a session of their own.',
    ),
} as const

export const backupSettings = {
  BACKUPS_DIR: z
    .string()
    .optional()
    .describe(
      'Folder for the backups that the gateway makes of its embedded database and of `DATA_DIR`. Another disk is better. Unset: `DATA_DIR/backups`.',
    ),
} as const

export const redisSettings = {
  REDIS_URL: z
    .string()
    .regex(/^(redis|valkey)s?:\/\//, 'must begin with redis://, rediss://, valkey:// or valkeys://')
    .optional()
    .describe(
      'A Redis or Valkey server (version 6.2 or newer), by which several gateways of a database count together: rate limits, pacing, circuit breakers and cached answers. Unset or away: each gateway counts alone.',
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

export const sealingSettings = {
  PROVIDER_SEALING_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Seals what the database holds that must stay secret: the keys of vendors that the operator pastes in the console and, if it is set, the secrets that gateways share. All gateways of a database need the same one. Unset: generated at the first start and kept in `DATA_DIR/provider-sealing-key`.',
    ),
} as const

export const logSettings = {
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest severity that is logged.'),
} as const
