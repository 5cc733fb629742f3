import { z } from '#core/action.ts'

export const language = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,19}$/, 'must be a language code, as in en, de, pt-br')
  .default('en')
  .describe('Language of labels and descriptions: en, de, ja.')
