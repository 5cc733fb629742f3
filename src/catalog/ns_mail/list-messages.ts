import { defineAction, pick, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { inboxId, ownedInbox } from './lib/fields.ts'
import { messageItem } from './lib/message.ts'

export const listMessages = defineAction('list-messages', {
  summary: 'List the messages of one of your inboxes, the newest first.',
  notes:
    'Free. Shows received and sent messages without their bodies; read one with ns_mail/get-message. Poll it to wait for an answer.',
  synonyms: ['check mail', 'read inbox', 'new emails', 'received messages', 'wait for email'],
  questions: [
    'is there new mail in my inbox?',
    'has anyone answered my email?',
    'show the latest emails that my agent got',
  ],
  input: z.strictObject({
    inbox_id: inboxId,
    limit: z.int().min(1).max(100).default(20).describe('Messages in the answer.'),
    page_token: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The next_page_token of the page before.'),
  }),
  output: z.looseObject({
    count: z.int().describe('Messages in this answer.'),
    next_page_token: z.string().nullish().describe('Absent or null on the last page.'),
    messages: z.array(messageItem),
  }),
  price: 'free',
  example: { input: { inbox_id: 'ada@agentmail.to' }, cents: 0 },
  owned: ownedInbox,
  run: ({ input, http }) =>
    http.get(path`/inboxes/${input.inbox_id}/messages`, {
      query: pick(input, 'limit', 'page_token'),
    }),
})
