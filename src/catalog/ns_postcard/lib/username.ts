import { z } from '#core/action.ts'

export const username = z
  .string()
  .trim()
  .regex(/^[a-zA-Z0-9-]{1,39}$/, 'must be a GitHub user name')
  .describe('GitHub user name.')
