import { defineAction, z } from '#core/action.ts'
import { emailAddress } from '../lib/person-fields.ts'
import { issueSearch, launched, readLaunch } from './lib/launched.ts'

export const emailVerification = defineAction('email-verification', {
  summary: 'Launch a check of whether an e-mail address exists at its mail server.',
  notes:
    'Answers with item._id at once and is billed then; poll ns_email_b/result with it every 3 to 5 seconds (each poll is charged). For an answer in one call use ns_email_a/email-verifier or ns_contact/email-verify.',
  synonyms: [
    'verify email',
    'mailbox check',
    'asynchronous verification',
    'catch-all verification',
    'icypeas',
  ],
  questions: [
    'double-check an address that another verifier called risky',
    'does the mail server know this mailbox?',
    'verify an email on a catch-all domain',
  ],
  input: z.strictObject({ email: emailAddress }),
  output: launched,
  price: { cents: 2 },
  example: { input: { email: 'person@example.com' }, cents: 2 },
  takes: { 'e-mail address': { place: 6, fills: (email) => ({ email }) } },
  issues: issueSearch,
  run: async ({ input, http }) => readLaunch(await http.post('/email-verification', input)),
})
