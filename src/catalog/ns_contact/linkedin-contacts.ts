import { defineAction, z } from '#core/action.ts'
import { profileUrl } from '../lib/person-fields.ts'

const addresses = z.array(z.string())
const noContacts = { email: [], work_email: [], personal_email: [], phone: [] }

interface Contacts {
  readonly email: readonly string[]
  readonly work_email: readonly string[]
  readonly personal_email: readonly string[]
  readonly phone: readonly string[]
}
const hasAddress = (found: Contacts) =>
  [found.email, found.work_email, found.personal_email].some((list) => list.length > 0)

export const linkedinContacts = defineAction('linkedin-contacts', {
  summary: 'Get the e-mail addresses, and the phone numbers if wanted, behind a LinkedIn profile.',
  notes:
    'Free when nothing is found. With include_phone it costs 30¢ when a phone number is found and 10¢ when only addresses are. Send the public profile address as profile. Without an address of a profile use ns_contact/people-search first, or ns_email_a/email-finder by name and company; for addresses only ns_email_a/linkedin-finder is cheaper.',
  synonyms: [
    'email from linkedin',
    'phone from linkedin',
    'contact details',
    'mobile number',
    'personal email',
    'reveal contact',
    'contactout',
  ],
  questions: [
    'what is the email of this LinkedIn profile?',
    'get me the phone number behind linkedin.com/in/somebody',
    'how can I contact the person with this LinkedIn page?',
  ],
  errors: ['bad_url'],
  people: true,
  input: z.strictObject({
    profile: profileUrl.describe('Address of the LinkedIn profile.'),
    include_phone: z.boolean().default(false).describe('Look for phone numbers too.'),
  }),
  output: z.looseObject({
    profile: z.looseObject({
      url: z.string().nullish(),
      email: addresses,
      work_email: addresses,
      personal_email: addresses,
      phone: addresses,
    }),
  }),
  price: {
    upToCents: ({ include_phone }) => (include_phone ? 30 : 10),
    atMostCents: 30,
    settle: ({ input, output: { profile } }) => {
      if (input.include_phone && profile.phone.length > 0) return 30
      return hasAddress(profile) ? 10 : 0
    },
  },
  example: { input: { profile: 'https://www.linkedin.com/in/example-person' }, cents: 10 },
  takes: { 'LinkedIn profile': { fills: (profile) => ({ profile }) } },
  async run({ input, http }) {
    const { status, body } = await http.send({
      method: 'GET',
      path: '/v1/people/linkedin',
      query: { profile: input.profile, include_phone: input.include_phone },
      accept: [404],
    })
    const found = status === 404 ? {} : (body.profile ?? {})
    return { profile: { ...noContacts, ...found } }
  },
})
