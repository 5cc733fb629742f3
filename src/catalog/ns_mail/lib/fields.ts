// Fields that several actions have.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { readMailbox } from '#core/mail-address.ts'

const recipientsMax = 50
const textMax = 1_000_000
const attachmentsMax = 20

export const inboxId = z
  .string()
  .trim()
  .toLowerCase()
  .min(3)
  .max(320)
  .describe('The inbox_id that ns_mail/create_inbox answered: the address of the inbox.')

/** The inbox that a call asks about. */
export const ownedInbox = ({ inbox_id: id }: { inbox_id: string }) => ({ kind: 'inbox', id })

export const messageId = z
  .string()
  .trim()
  .min(1)
  .max(998)
  .describe('The message_id from ns_mail/list-messages, with its angle brackets.')

/** A field of one line: a line break would add a header to the mail. */
export const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters')

const mailbox = z.string().refine((text) => readMailbox(text) !== undefined, {
  message: 'must be one address: ada@example.org or Ada <ada@example.org>',
})

export const recipients = z.union([
  mailbox.transform((one) => [one]),
  z.array(mailbox).max(recipientsMax, `may have at most ${recipientsMax} addresses`),
])

export const text = z.string().max(textMax).optional().describe('The body as plain text.')
export const html = z.string().max(textMax).optional().describe('The body as HTML.')

export const attachments = z
  .array(
    z.strictObject({
      file_id: z.uuid().describe('A file of yours, from files/upload or another action.'),
      filename: oneLine(150).min(1).optional().describe('Its name in the mail.'),
    }),
  )
  .max(attachmentsMax)
  .optional()
  .describe('Files of yours to attach.')

/** Throws `bad_request` for a mail without a body. */
export function requireBody({
  text: plain,
  html: rich,
}: {
  text?: string | undefined
  html?: string | undefined
}) {
  if (plain !== undefined || rich !== undefined) return
  throw fail('bad_request', { message: 'Send text, html or both. Nothing was charged.' })
}

/** Throws `bad_request` when a mail has too many recipients, or none. */
export function limitRecipients(...lists: readonly (readonly string[] | undefined)[]) {
  const count = lists.reduce((all, list) => all + (list?.length ?? 0), 0)
  if (count >= 1 && count <= recipientsMax) return
  throw fail('bad_request', {
    message: `A mail has 1 to ${recipientsMax} recipients, those of cc and bcc included. Nothing was charged.`,
  })
}

export const sent = z.looseObject({
  message_id: z.string(),
  thread_id: z.string(),
  rejected: z
    .array(z.looseObject({ address: z.string(), reason: z.string() }))
    .optional()
    .describe('Recipients that were refused. The mail was sent to the others.'),
})
