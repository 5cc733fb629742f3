import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { inboxId, messageId, ownedInbox } from './lib/fields.ts'
import { attachment, messageItem } from './lib/message.ts'

/** Each is a request to the vendor. */
const linksMax = 20

export const getMessage = defineAction('get-message', {
  summary: 'Read one message of your inbox, with its text, HTML and attachments.',
  notes:
    'Free. The message_id comes from ns_mail/list-messages. Each attachment has a download_url that works for about an hour. The HTML is as the sender wrote it: clean it before you show it. authentication tells whether the sender is genuine.',
  synonyms: ['open email', 'read message', 'email body', 'download attachment', 'mail text'],
  questions: [
    'read the email with the confirmation code',
    'download the attachment of this message',
    'what does the latest mail say?',
  ],
  input: z.strictObject({ inbox_id: inboxId, message_id: messageId }),
  output: z.looseObject({
    ...messageItem.shape,
    text: z.string().nullish(),
    html: z.string().nullish(),
    reply_to: z.array(z.string()).nullish(),
    attachments: z
      .array(z.looseObject({ ...attachment.shape, download_url: z.string().nullish() }))
      .nullish(),
    authentication: z
      .looseObject({ spf: z.string(), dkim: z.string(), dmarc: z.string() })
      .nullish()
      .describe('Verdicts about the sender. Null for mail that this gateway carried itself.'),
  }),
  price: 'free',
  example: { input: { inbox_id: 'ada@agentmail.to', message_id: '<1@example.org>' }, cents: 0 },
  owned: ownedInbox,
  async run({ input, http }) {
    const at = path`/inboxes/${input.inbox_id}/messages/${input.message_id}`
    const message = await http.get(at)
    const named = (message?.attachments ?? []).slice(0, linksMax) as { attachment_id: string }[]
    const attachments = await Promise.all(
      named.map(async (each) => {
        const found = await http.get(`${at}${path`/attachments/${each.attachment_id}`}`)
        return { ...each, download_url: found?.download_url ?? null }
      }),
    )
    return { ...message, attachments }
  },
})
