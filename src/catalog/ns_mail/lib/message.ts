import { z } from '#core/action.ts'

const correspondents = z.array(z.string()).nullish()

export const attachment = z.looseObject({
  attachment_id: z.string(),
  filename: z.string().nullish(),
  content_type: z.string().nullish(),
  size: z.number(),
  content_id: z.string().nullish().describe('The HTML shows an image by "cid:" and this id.'),
})

/** A message in a list. */
export const messageItem = z.looseObject({
  message_id: z.string(),
  thread_id: z.string(),
  labels: z
    .array(z.string())
    .describe('received or sent, and perhaps bounce, automatic or unauthenticated.'),
  timestamp: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: correspondents,
  subject: z.string().nullish(),
  preview: z.string().nullish().describe('The beginning of the text.'),
  attachments: z.array(attachment).nullish(),
  in_reply_to: z.string().nullish(),
  references: z.array(z.string()).nullish(),
  size: z.number(),
})
