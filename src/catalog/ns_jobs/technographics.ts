import { defineAction, z } from '#core/action.ts'
import { domainName } from '../lib/person-fields.ts'
import { metadata } from './lib/search-fields.ts'

const confidence = z.enum(['low', 'medium', 'high'])

export const technographics = defineAction('technographics', {
  summary: 'List the technologies that a company uses, with confidence and dates.',
  notes:
    'Read from its job postings, so it knows back ends and internal tools that no page shows. Free when nothing is known. For companies by technology use ns_jobs/companies or ns_company/tech-companies.',
  synonyms: [
    'tech stack',
    'technologies used',
    'builtwith',
    'what software does a company use',
    'stack lookup',
    'theirstack',
  ],
  questions: [
    'what tech stack does airbnb.com use?',
    'does this company use Kubernetes or Salesforce?',
    'which databases run at acme.com?',
  ],
  input: z.strictObject({
    company_domain: domainName.describe('Domain of the company.'),
    confidence: z
      .union([confidence, z.array(confidence).min(1).max(3)])
      .transform((wanted) => [wanted].flat())
      .optional()
      .describe('Only technologies of this confidence, or of these.'),
  }),
  output: z.looseObject({ technologies: z.array(z.looseObject({})), metadata }),
  price: { cents: 25, used: (output) => (output.technologies.length > 0 ? 1 : 0) },
  example: { input: { company_domain: 'example.com', confidence: 'high' }, cents: 25 },
  takes: { domain: { place: 1, fills: (domain) => ({ company_domain: domain }) } },
  async run({ input, http }) {
    const { data, metadata: about } = await http.post('/v1/companies/technologies', {
      company_domain: input.company_domain,
      confidence_or: input.confidence,
    })
    return { technologies: data, metadata: about }
  },
})
