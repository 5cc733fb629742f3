import { defineAction, pick, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { toVendorAttachments } from './lib/attachments.ts'
import {
  attachments,
  html,
  inboxId,
  limitRecipients,
  oneLine,
  ownedInbox,
  recipients,
  requireBody,
  sent,
  text,
} from './lib/fields.ts'

export const send = defineAction('send', {
  summary: 'Send an e-mail from one of your inboxes.',
  notes:
    'Answers come into the inbox: read them with ns_mail/list-messages. To continue a conversation use ns_mail/reply. A success means that the next mail server has taken the mail; a later bounce comes into the inbox too.',
  synonyms: ['send email', 'write mail', 'email someone', 'send a message', 'mail with attachment'],
  questions: [
    'send an email to ada@example.org',
    'mail this report to my customer',
    'write to the support address and wait for an answer',
  ],
  irrevocable: true,
  input: z.strictObject({
    inbox_id: inboxId,
    to: recipients.describe('Address or addresses: ada@example.org or Ada <ada@example.org>.'),
    cc: recipients.optional().describe('Who gets a copy.'),
    bcc: recipients.optional().describe('Who gets a copy without the others seeing it.'),
    subject: oneLine(500).describe('The subject.'),
    text,
    html,
    attachments,
  }),
  check(input) {
    requireBody(input)
    limitRecipients(input.to, input.cc, input.bcc)
  },
  output: sent,
  price: { cents: 1 },
  example: {
    input: {
      inbox_id: 'ada@agentmail.to',
      to: 'bob@example.org',
      subject: 'Hello',
      text: 'Can we meet on Friday?',
    },
    cents: 1,
  },
  owned: ownedInbox,
  run: async ({ input, http, files, purchase }) => {
    const body = pick(input, 'to', 'cc', 'bcc', 'subject', 'text', 'html')
    const attached = await toVendorAttachments(files, input.attachments)
    return await purchase(() =>
      http.post(path`/inboxes/${input.inbox_id}/messages/send`, { ...body, attachments: attached }),
    )
  },
})
