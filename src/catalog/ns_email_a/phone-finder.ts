import { defineAction, z } from '#core/action.ts'
import { domainName, emailAddress, exactlyOne, profileUrl } from '../lib/person-fields.ts'

const numberObject = z.looseObject({
  e164_format: z.string().nullish(),
  country_code: z.string().nullish(),
  line_type: z.string().nullish(),
  carrier: z.string().nullish(),
  valid: z.boolean().nullish(),
})

export const phoneFinder = defineAction('phone-finder', {
  summary: 'Find a phone number by e-mail address, company domain or LinkedIn profile.',
  notes:
    'Send exactly one of email, domain and url; by domain it is the company’s number. Free when none is found. Mobile numbers behind a LinkedIn profile are rather found by ns_contact/linkedin-contacts with include_phone.',
  synonyms: [
    'phone number lookup',
    'direct dial',
    'mobile number',
    'call a lead',
    'company phone',
    'tomba',
  ],
  questions: [
    'what is the phone number of this company?',
    'find the direct dial for jane@acme.com',
    'can I get a mobile number from an email address?',
  ],
  errors: ['bad_url'],
  people: true,
  input: z
    .strictObject({
      email: emailAddress.optional(),
      domain: domainName.optional().describe('Domain of the company.'),
      url: profileUrl.optional().describe('Address of the LinkedIn profile.'),
    })
    .refine(exactlyOne('email', 'domain', 'url'), {
      message: 'Send exactly one of email, domain and url',
    }),
  output: z.looseObject({ phones: z.array(numberObject) }),
  price: { cents: 10, used: ({ phones }) => (phones.length > 0 ? 1 : 0) },
  example: { input: { domain: 'example.com' }, cents: 10 },
  takes: {
    'LinkedIn profile': { place: 2, fills: (url) => ({ url }) },
    'e-mail address': { place: 4, fills: (email) => ({ email }) },
  },
  async run({ input: { url, ...input }, http }) {
    const { data } = await http.get('/phone-finder', { query: { ...input, linkedin: url } })
    // One number, several numbers, or an object without numbers.
    const found = Array.isArray(data) ? data : [data ?? {}]
    return { phones: found.filter(({ e164_format }) => Boolean(e164_format)) }
  },
})
