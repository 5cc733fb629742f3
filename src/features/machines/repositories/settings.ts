// The settings of Git repositories.
import { wholeNumber } from '#core/settings.ts'

export const repositorySettings = {
  REPOSITORY_MB_MAX: wholeNumber(1, 1_000_000)
    .default(500)
    .describe('Megabytes that one Git repository may hold.'),
  REPOSITORIES_QUOTA_MB: wholeNumber(1, 1_000_000_000)
    .default(2_000)
    .describe('Megabytes that the Git repositories of an account or a wallet may hold together.'),
} as const
