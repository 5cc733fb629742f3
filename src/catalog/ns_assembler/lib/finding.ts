import { z } from '#core/action.ts'

/** What is wrong with a clip, or with the composition. Source: spec, "Video assembler actions", validate. */
export const finding = z.looseObject({
  code: z.string(),
  stage: z.string(),
  category: z.string(),
  retryable: z.boolean(),
  message: z.string(),
  fix: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .describe('What to change.'),
})
