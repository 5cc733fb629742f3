import { defineAction, z } from '#core/action.ts'
import { name } from '../lib/person-fields.ts'
import { issueSearch, launched, readLaunch } from './lib/launched.ts'

const namePart = z.string().trim().max(200).default('')

export const emailSearch = defineAction('email-search', {
  summary: 'Launch a search for the work e-mail address of a person, graded by certainty.',
  notes:
    'Answers with item._id at once and is billed then; poll ns_email_b/result with it every 3 to 5 seconds (each poll is charged) until its state is no longer in_progress. A bare domain finds more than a name. One of firstname and lastname may be left out. Try ns_email_a/email-finder first, which answers at once.',
  synonyms: [
    'find email',
    'email by name and domain',
    'second opinion email',
    'certainty',
    'icypeas',
    'catch-all email',
  ],
  questions: [
    'find the email of John Smith at a company, the first finder had nothing',
    'work email with certainty grade and mail provider',
    'search an address on a catch-all domain',
  ],
  people: true,
  input: z
    .strictObject({
      firstname: namePart.describe('First name.'),
      lastname: namePart.describe('Last name.'),
      domainOrCompany: name.describe('Bare domain of the company, or its name.'),
    })
    .refine(({ firstname, lastname }) => firstname !== '' || lastname !== '', {
      message: 'Send firstname, lastname or both',
    }),
  output: launched,
  price: { cents: 4 },
  example: {
    input: { firstname: 'Jane', lastname: 'Doe', domainOrCompany: 'example.com' },
    cents: 4,
  },
  issues: issueSearch,
  run: async ({ input, http }) => readLaunch(await http.post('/email-search', input)),
})
