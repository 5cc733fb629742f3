import { z } from '#core/action.ts'
import { atLeastOne, domainName } from '../../lib/person-fields.ts'

export const fundingStages = [
  'Pre-Seed',
  'Seed',
  'Series A',
  'Series B',
  'Series C',
  'Series D',
  'Series E',
  'Series F',
  'Series G',
  'Series H',
  'Acquired',
  'Private',
  'Public',
] as const

const employees = z.int().min(0).optional()

/** The parameters of a search for similar companies, in one call and in bulk. */
export const likeness = {
  seed_domains: z
    .array(domainName)
    .min(1)
    .max(10)
    .optional()
    .describe('Domains of companies that they shall be like.'),
  query: z.string().trim().min(1).max(200).optional().describe('What they do, in a sentence.'),
  min_employees: employees.describe('Fewest employees.'),
  max_employees: employees.describe('Most employees.'),
  funding_stages: z
    .array(z.enum(fundingStages))
    .min(1)
    .max(13)
    .optional()
    .describe('Stages of funding.'),
  locations: z
    .array(z.string().regex(/^([A-Z]{3}|EU)$/, 'must be three-letter codes such as USA'))
    .min(1)
    .max(60)
    .optional()
    .describe('Three-letter codes of the headquarters; EU stands for its members.'),
} as const

export const hasLikeness = atLeastOne('seed_domains', 'query')
export const needsLikeness = { message: 'Send seed_domains, query or both' }

export const tech = z.string().trim().min(1).max(128).describe('The technology.')
export const variations = z
  .array(z.string().trim().min(1).max(128))
  .min(1)
  .max(20)
  .optional()
  .describe('Other names of the technology: K8s.')
export const lookbackDays = z.int().min(1).max(365).optional().describe('Postings of so many days.')
