import { defineAction, z } from '#core/action.ts'
import { emailAddress } from '../lib/person-fields.ts'

export const emailVerify = defineAction('email-verify', {
  summary: 'Check whether mail to an e-mail address would be delivered.',
  notes:
    'The status is valid, invalid, accept_all (the server takes anything), disposable or unknown; unknown is free. Without the vendor’s key the gateway checks spelling, mail servers and lists of disposable addresses itself, names itself in provider, and says invalid or unknown rather than valid. For a score and the single checks use ns_email_a/email-verifier.',
  synonyms: [
    'email validation',
    'deliverability',
    'will it bounce',
    'check email exists',
    'clean mailing list',
    'contactout',
  ],
  questions: [
    'is this email address valid?',
    'will mail to bob@example.com bounce?',
    'check that an address really exists before I write to it',
  ],
  input: z.strictObject({ email: emailAddress }),
  output: z.looseObject({
    status: z.string().describe('valid, invalid, accept_all, disposable or unknown.'),
    provider: z.string().optional().describe('Who has checked, when it was not the vendor.'),
  }),
  price: { cents: 2, used: ({ status }) => (status === 'unknown' ? 0 : 1) },
  example: { input: { email: 'person@example.com' }, cents: 2 },
  takes: { 'e-mail address': { place: 3, fills: (email) => ({ email }) } },
  async run({ input, http }) {
    const { data } = await http.get('/v1/email/verify', { query: { email: input.email } })
    return data
  },
})
