import { defineAction, z } from '#core/action.ts'
import { oneLine } from './lib/fields.ts'

export const createInbox = defineAction('create_inbox', {
  summary: 'Create an e-mail inbox of your own, with its address.',
  notes:
    'The answered inbox_id is the address. Send with ns_mail/send, and read what arrives with ns_mail/list-messages. Paid once; the inbox has no monthly price.',
  synonyms: ['new email address', 'mailbox', 'inbox for an agent', 'temporary email', 'get email'],
  questions: [
    'create an email address for my agent',
    'how can my bot receive mail?',
    'I need an inbox to confirm a sign-up',
  ],
  makes: ['inbox'],
  irrevocable: true,
  input: z.strictObject({
    username: z
      .string()
      .trim()
      .toLowerCase()
      .regex(
        /^(?=.{1,64}$)[a-z0-9]+(?:[._-][a-z0-9]+)*$/,
        'must be letters and digits, with single dots, hyphens or underscores between them',
      )
      .optional()
      .describe('The part before the @. Absent: a random one.'),
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .optional()
      .describe('Absent: the default domain.'),
    display_name: oneLine(100).optional().describe('The name that recipients see.'),
  }),
  output: z.looseObject({
    inbox_id: z.string().describe('The address. Every other action of ns_mail takes it.'),
    display_name: z.string().nullish(),
  }),
  price: { cents: 200 },
  example: { input: { username: 'ada', display_name: 'Ada’s agent' }, cents: 200 },
  issues: ({ inbox_id }) => ({ kind: 'inbox', id: inbox_id.toLowerCase(), isKept: true }),
  run: ({ input, http, purchase }) =>
    purchase((reference) => http.post('/inboxes', { ...input, client_id: reference })),
})
