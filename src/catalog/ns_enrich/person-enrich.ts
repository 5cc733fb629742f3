import { defineAction, z } from '#core/action.ts'
import { emailAddress, exactlyOne, name } from '../lib/person-fields.ts'
import { issueRequest, readSubmission, socialUrl, submitted } from './lib/request.ts'

export const personEnrich = defineAction('person-enrich', {
  summary:
    'Order a full dossier of a person: career, education, contacts, social profiles and posts.',
  notes:
    'Answers with a request_id at once and is billed then; poll ns_enrich/result for free with endpoint person/enrichment. Send one identifier: email, phone, social_media_url, or name together with company. lite_enrich is cheaper and shorter. For an address only use ns_contact/linkedin-contacts; for who is behind an address ns_contact/person-from-email.',
  synonyms: [
    'person enrichment',
    'background of a person',
    'social profiles of a person',
    'people data',
    'dossier',
    'resume by email',
    'nyne',
  ],
  questions: [
    'tell me everything public about this person',
    'enrich a lead from a phone number',
    'which social accounts and career belong to this email?',
  ],
  accepted: true,
  people: true,
  input: z
    .strictObject({
      email: emailAddress.optional(),
      phone: z
        .string()
        .trim()
        .regex(/^\+?[0-9][0-9 ().-]{5,24}$/, 'must be a phone number with its country code')
        .optional()
        .describe('Phone number with country code.'),
      social_media_url: socialUrl.optional(),
      name: name.optional().describe('Full name; together with company.'),
      company: name.optional().describe('Name of the company; together with name.'),
      lite_enrich: z.boolean().default(false).describe('Only the essentials, for less.'),
    })
    .refine(exactlyOne('email', 'phone', 'social_media_url', 'name'), {
      message: 'Send exactly one identifier: email, phone, social_media_url, or name and company',
    })
    .refine((input) => (input.name === undefined) === (input.company === undefined), {
      message: 'name and company go together',
    }),
  output: submitted,
  price: { cents: 55, variants: [{ when: { lite_enrich: true }, cents: 30 }] },
  example: { input: { email: 'person@example.com', lite_enrich: true }, cents: 30 },
  takes: {
    'LinkedIn profile': { place: 3, fills: (url) => ({ social_media_url: url }) },
    'e-mail address': { place: 5, fills: (email) => ({ email }) },
  },
  issues: issueRequest,
  run: async ({ input, http }) =>
    readSubmission('person/enrichment', await http.post('/person/enrichment', input)),
})
