import { defineAction, z } from '#core/action.ts'
import { domainName } from '../lib/person-fields.ts'
import { issueSearch, launched, readLaunch } from './lib/launched.ts'

export const domainScan = defineAction('domain-scan', {
  summary: 'Launch a scan of a domain for its role addresses, such as info, sales and support.',
  notes:
    'Answers with item._id at once and is billed then; poll ns_email_b/result with it every 3 to 5 seconds (each poll is charged). For the addresses of people at the company use ns_email_a/domain-search.',
  synonyms: [
    'role-based emails',
    'info@ address',
    'generic inbox',
    'company contact email',
    'support address',
    'icypeas',
  ],
  questions: [
    'what is the general contact email of this company?',
    'does acme.com have a sales@ or support@ inbox?',
    'find role inboxes on a domain',
  ],
  people: true,
  input: z.strictObject({ domain: domainName.describe('The domain.') }),
  output: launched,
  price: { cents: 4 },
  example: { input: { domain: 'example.com' }, cents: 4 },
  takes: { domain: { place: 7, fills: (domain) => ({ domain }) } },
  issues: issueSearch,
  run: async ({ input, http }) =>
    readLaunch(await http.post('/domain-search', { domainOrCompany: input.domain })),
})
