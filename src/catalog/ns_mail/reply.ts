import { defineAction, pick, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { toVendorAttachments } from './lib/attachments.ts'
import {
  attachments,
  html,
  inboxId,
  messageId,
  ownedInbox,
  requireBody,
  sent,
  text,
} from './lib/fields.ts'

export const reply = defineAction('reply', {
  summary: 'Answer a message of your inbox, within its conversation.',
  notes:
    'Goes to the Reply-To address of the message or to its sender; with reply_all to its other recipients as well. Subject and conversation are kept. To write first use ns_mail/send.',
  synonyms: ['answer email', 'respond to mail', 'reply all', 'continue the conversation'],
  questions: [
    'answer the last email in my inbox',
    'reply to all recipients of this message',
    'respond to the customer who wrote to us',
  ],
  irrevocable: true,
  input: z.strictObject({
    inbox_id: inboxId,
    message_id: messageId,
    reply_all: z.boolean().optional().describe('Answers the other recipients too.'),
    text,
    html,
    attachments,
  }),
  check: requireBody,
  output: sent,
  price: { cents: 1 },
  example: {
    input: { inbox_id: 'ada@agentmail.to', message_id: '<1@example.org>', text: 'Friday is fine.' },
    cents: 1,
  },
  owned: ownedInbox,
  run: async ({ input, http, files, purchase }) => {
    const { inbox_id, message_id } = input
    const body = pick(input, 'reply_all', 'text', 'html')
    const attached = await toVendorAttachments(files, input.attachments)
    return await purchase(() =>
      http.post(path`/inboxes/${inbox_id}/messages/${message_id}/reply`, {
        ...body,
        attachments: attached,
      }),
    )
  },
})
