import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne, name } from '../lib/person-fields.ts'
import { foundEmail, perEmail } from './lib/found-email.ts'

export const emailFinder = defineAction('email-finder', {
  summary: 'Find the most likely work e-mail address of a person by name and company.',
  notes:
    'Send domain where you know it, company otherwise. score says how sure the vendor is; free when no address is found. A second opinion is ns_email_b/email-search. With a LinkedIn profile use ns_email_a/linkedin-finder; for all addresses of a company ns_email_a/domain-search. Verify with ns_email_a/email-verifier before mass mail.',
  synonyms: [
    'find email',
    'work email by name',
    'email lookup',
    'guess email address',
    'cold outreach',
    'tomba',
    'hunter',
  ],
  questions: [
    'what is the work email of Jane Doe at acme.com?',
    'find the email address of a person by name and company',
    'how do I reach the CEO of stripe.com by mail?',
  ],
  people: true,
  input: z
    .strictObject({
      domain: domainName.optional().describe('Domain of the company; better than its name.'),
      company: name.optional().describe('Name of the company.'),
      full_name: name.describe('First and last name.'),
    })
    .refine(exactlyOne('domain', 'company'), { message: 'Send either domain or company' }),
  output: foundEmail,
  price: perEmail(4),
  example: { input: { domain: 'example.com', full_name: 'Jane Doe' }, cents: 4 },
  takes: { domain: { place: 6, fills: (domain) => ({ domain, full_name: 'Jane Doe' }) } },
  run: async ({ input, http }) => (await http.get('/email-finder', { query: input })).data,
})
