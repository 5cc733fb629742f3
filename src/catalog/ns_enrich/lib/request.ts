import { z } from '#core/action.ts'
import { requireUnfailed } from '../../lib/failed-work.ts'
import { issue } from '../../lib/issued-id.ts'

export const endpoints = ['person/enrichment', 'company/funders', 'person/interactions'] as const
export type Endpoint = (typeof endpoints)[number]

/** The answer of a submission. */
export const submitted = z.looseObject({
  request_id: z.string().describe('For ns_enrich/result.'),
  endpoint: z.enum(endpoints).describe('For ns_enrich/result.'),
  status: z.string().nullish(),
})

export const requestId = z.string().trim().min(1).max(128).describe('As the submission answered.')

export const issueRequest = ({ request_id, endpoint }: z.output<typeof submitted>) =>
  issue(endpoint, requestId, request_id)

export function readSubmission(endpoint: Endpoint, { data }: { data?: { status?: unknown } }) {
  requireUnfailed(data?.status)
  return { ...data, endpoint }
}

export const socialUrl = z
  .url('must be the full address of a profile')
  .max(2_048)
  .describe('Address of a social profile.')
