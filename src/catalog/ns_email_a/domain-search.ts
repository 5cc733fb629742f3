import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne, name } from '../lib/person-fields.ts'

const departments = [
  'engineering',
  'sales',
  'finance',
  'hr',
  'it',
  'marketing',
  'operations',
  'management',
] as const

export const domainSearch = defineAction('domain-search', {
  summary: 'List the e-mail addresses that are known at a company, by department if wanted.',
  notes:
    'A page holds 10, 20 or 50 addresses; meta tells how many pages there are. Free when none is known. For one person use ns_email_a/email-finder; for role addresses such as info@ ns_email_b/domain-scan; for people rather than addresses ns_contact/people-search.',
  synonyms: [
    'emails of a company',
    'email addresses by domain',
    'company directory',
    'hunter domain search',
    'email pattern',
    'tomba',
  ],
  questions: [
    'which email addresses are known at acme.com?',
    'list the sales team emails of a company',
    'what is the email format at this company?',
  ],
  people: true,
  input: z
    .strictObject({
      domain: domainName.optional().describe('Domain of the company.'),
      company: name.optional().describe('Name of the company.'),
      department: z.enum(departments).optional().describe('Only addresses of this department.'),
      country: z
        .string()
        .trim()
        .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as US')
        .transform((code) => code.toUpperCase())
        .optional()
        .describe('Two-letter code; only people there.'),
      page: z.int().min(1).max(1_000).default(1).describe('Page of the results, from 1.'),
      limit: z.literal([10, 20, 50]).default(10).describe('Addresses per page.'),
    })
    .refine(exactlyOne('domain', 'company'), { message: 'Send either domain or company' }),
  output: z.looseObject({
    organization: z.looseObject({}).nullish(),
    emails: z.array(z.looseObject({ email: z.string() })),
    meta: z.looseObject({ total: z.number().nullish(), total_pages: z.number().nullish() }),
  }),
  price: { cents: 4, used: ({ emails }) => (emails.length > 0 ? 1 : 0) },
  example: { input: { domain: 'example.com', department: 'sales' }, cents: 4 },
  takes: { domain: { fills: (domain) => ({ domain }) } },
  async run({ input, http }) {
    const { data, meta } = await http.get('/domain-search', { query: input })
    return { ...data, emails: data?.emails ?? [], meta: meta ?? {} }
  },
})
