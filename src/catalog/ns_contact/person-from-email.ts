import { defineAction, z } from '#core/action.ts'
import { emailAddress } from '../lib/person-fields.ts'

export const personFromEmail = defineAction('person-from-email', {
  summary:
    'Find out who is behind an e-mail address: name, title, company, profile and work history.',
  notes:
    'Free when no one is found. For the company and name only ns_email_a/enrich is cheaper; for a full dossier with posts and social profiles use ns_enrich/person-enrich; to know whether the address works use ns_contact/email-verify.',
  synonyms: [
    'reverse email lookup',
    'email to linkedin',
    'who owns this email',
    'identify sender',
    'work history by email',
    'contactout',
  ],
  questions: [
    'who is behind this email address?',
    'find the LinkedIn profile for jane@acme.com',
    'where does the owner of this email work?',
  ],
  people: true,
  input: z.strictObject({ email: emailAddress }),
  output: z.looseObject({
    profile: z
      .looseObject({
        full_name: z.string().nullish(),
        headline: z.string().nullish(),
        url: z.string().nullish(),
      })
      .nullable()
      .describe('Null when no person was found.'),
  }),
  price: { cents: 10, used: ({ profile }) => (profile === null ? 0 : 1) },
  example: { input: { email: 'person@example.com' }, cents: 10 },
  takes: { 'e-mail address': { fills: (email) => ({ email }) } },
  async run({ input, http }) {
    const { status, body } = await http.send({
      method: 'GET',
      path: '/v1/email/enrich',
      query: { email: input.email },
      accept: [404],
    })
    const profile = status === 404 ? null : body.profile
    return { profile: profile && Object.keys(profile).length > 0 ? profile : null }
  },
})
