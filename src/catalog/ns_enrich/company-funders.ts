import { defineAction, z } from '#core/action.ts'
import { domainName, exactlyOne, name } from '../lib/person-fields.ts'
import { issueRequest, readSubmission, submitted } from './lib/request.ts'

export const companyFunders = defineAction('company-funders', {
  summary: 'Order a profile of an investor: partners, thesis, cheque size and recent investments.',
  notes:
    'The company is the investor, not the one invested in. Answers with a request_id at once and is billed then; poll ns_enrich/result for free with endpoint company/funders. For the deals of a fund use ns_funding/investor-deals, for lists of investors ns_signals/investors.',
  synonyms: [
    'investor profile',
    'vc fund partners',
    'investment thesis',
    'check size',
    'venture capital firm',
    'nyne',
  ],
  questions: [
    'who are the partners at this venture fund?',
    'what cheque size does this investor write?',
    'what is the investment thesis of sequoiacap.com?',
  ],
  accepted: true,
  input: z
    .strictObject({
      company_name: name.optional().describe('Name of the investor.'),
      company_domain: domainName.optional().describe('Domain of the investor.'),
    })
    .refine(exactlyOne('company_name', 'company_domain'), {
      message: 'Send either company_name or company_domain',
    }),
  output: submitted,
  price: { cents: 30 },
  example: { input: { company_domain: 'example.com' }, cents: 30 },
  issues: issueRequest,
  run: async ({ input, http }) =>
    readSubmission('company/funders', await http.post('/company/funders', input)),
})
