import { defineAction, z } from '#core/action.ts'
import { emailAddress } from '../lib/person-fields.ts'

export const emailVerifier = defineAction('email-verifier', {
  summary:
    'Verify an e-mail address in detail: syntax, mail server, mailbox, disposable or webmail.',
  notes:
    'The verdict, email.result, is deliverable, undeliverable or risky. Without the vendor’s key the gateway checks spelling, mail servers and lists of disposable and role addresses itself, names itself in provider, asks no mailbox, and so never says deliverable. For a plain status use ns_contact/email-verify; ns_email_b/email-verification is a third opinion.',
  synonyms: [
    'verify email',
    'email checker',
    'smtp check',
    'mx lookup',
    'disposable email check',
    'bounce risk',
    'tomba',
  ],
  questions: [
    'does this mailbox exist?',
    'is john@acme.com deliverable or risky?',
    'is this a throwaway email address?',
  ],
  input: z.strictObject({ email: emailAddress }),
  output: z.looseObject({
    email: z.looseObject({
      email: z.string().nullish(),
      result: z.enum(['deliverable', 'undeliverable', 'risky']).describe('The verdict.'),
      status: z.string().nullish(),
      score: z.number().nullish().describe('0 to 100.'),
      smtp_check: z
        .boolean()
        .nullish()
        .describe('Whether the mailbox answered; null when not asked.'),
      accept_all: z.boolean().nullish(),
      disposable: z.boolean().nullish(),
      webmail: z.boolean().nullish(),
    }),
    provider: z.string().optional().describe('Who has checked, when it was not the vendor.'),
  }),
  price: { cents: 2 },
  example: { input: { email: 'person@example.com' }, cents: 2 },
  takes: { 'e-mail address': { place: 2, fills: (email) => ({ email }) } },
  run: async ({ input, http }) => (await http.get('/email-verifier', { query: input })).data,
})
