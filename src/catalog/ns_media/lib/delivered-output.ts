import { z } from '#core/action.ts'

/** One output of a generation, as the caller receives it. */
export const deliveredOutput = z.looseObject({
  url: z.url(),
  kind: z.enum(['image', 'audio', 'video', 'file']),
  media_type: z.string().optional(),
  file_id: z.string().optional().describe('The file that holds it, with store.'),
  store_error: z
    .literal('file_quota_exceeded')
    .optional()
    .describe('Why it is not kept. Its url is the vendor’s.'),
})
