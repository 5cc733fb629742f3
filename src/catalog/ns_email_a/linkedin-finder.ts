import { defineAction, z } from '#core/action.ts'
import { profileUrl } from '../lib/person-fields.ts'
import { foundEmail, perEmail } from './lib/found-email.ts'

/** According to the vendor's users, about one call in five fails transiently. */
const passingFailures = [500, 502, 503, 504]

export const linkedinFinder = defineAction('linkedin-finder', {
  summary: 'Find the work e-mail address of the person of a LinkedIn profile.',
  notes:
    'Takes about 12 seconds; a failure at the vendor is tried once more by itself. Free when no address is found. full returns every known address. For phone numbers and personal addresses use ns_contact/linkedin-contacts; by name and company ns_email_a/email-finder.',
  synonyms: [
    'linkedin to email',
    'linkedin email finder',
    'profile url to email',
    'work email',
    'tomba',
  ],
  questions: [
    'get the work email for this LinkedIn URL',
    'email of linkedin.com/in/jane-doe please',
    'turn a list of LinkedIn profiles into email addresses',
  ],
  timeoutMs: 75_000,
  errors: ['bad_url'],
  people: true,
  input: z.strictObject({
    url: profileUrl.describe('Address of the LinkedIn profile.'),
    full: z.boolean().optional().describe('Return all known addresses.'),
  }),
  output: foundEmail,
  price: perEmail(5),
  example: { input: { url: 'https://www.linkedin.com/in/example-person' }, cents: 5 },
  takes: { 'LinkedIn profile': { place: 1, fills: (url) => ({ url }) } },
  async run({ input, http }) {
    const request = { method: 'GET', path: '/linkedin', query: input } as const
    const first = await http.send({ ...request, accept: passingFailures })
    const { body } = first.status < 300 ? first : await http.send(request)
    return body.data
  },
})
