import { z } from '#core/action.ts'

export const endpoints = ['person/enrichment', 'company/funders', 'person/interactions'] as const
export type Endpoint = (typeof endpoints)[number]

/** The answer of a submission. */
export const submitted = z.looseObject({
  request_id: z.string().describe('For ns_enrich/result.'),
  endpoint: z.enum(endpoints).describe('For ns_enrich/result.'),
  status: z.string().nullish(),
})

export const issueRequest = ({ request_id, endpoint }: z.output<typeof submitted>) => ({
  kind: endpoint,
  id: request_id,
})

export const readSubmission = (endpoint: Endpoint, { data }: { data?: object }) => ({
  ...data,
  endpoint,
})

export const socialUrl = z
  .url('must be the full address of a profile')
  .max(2_048)
  .describe('Address of a social profile.')
