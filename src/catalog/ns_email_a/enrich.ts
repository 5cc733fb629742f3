import { defineAction, z } from '#core/action.ts'
import { emailAddress } from '../lib/person-fields.ts'
import { foundEmail } from './lib/found-email.ts'

export const enrich = defineAction('enrich', {
  summary: 'Get name, position, company and social profiles for an e-mail address.',
  notes:
    'The cheap way from an address to a person; free when nothing is known of it. With work history use ns_contact/person-from-email, for a full dossier ns_enrich/person-enrich. To check the address use ns_email_a/email-verifier.',
  synonyms: [
    'email enrichment',
    'person by email',
    'append name and company',
    'enrich crm contact',
    'lookup sender',
    'tomba',
  ],
  questions: [
    'what are the name and job title behind this email?',
    'enrich my list of emails with company and position',
    'which company does this address belong to?',
  ],
  people: true,
  input: z.strictObject({ email: emailAddress }),
  output: foundEmail,
  // The address is echoed even when nothing is known of it.
  price: { cents: 4, used: ({ full_name, company }) => (full_name || company ? 1 : 0) },
  example: { input: { email: 'person@example.com' }, cents: 4 },
  takes: { 'e-mail address': { place: 1, fills: (email) => ({ email }) } },
  run: async ({ input, http }) => (await http.get('/enrich', { query: input })).data,
})
