// The vendor’s side of a background search: where each kind of it lives, and how it is asked about.
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

export const kinds = {
  tam: '/api/v1/tam/build',
  lookalikes: '/api/v1/account/search-lookalikes-bulk',
  tech_intent: '/api/v2/tech/companies/intent-search',
} as const
export type Kind = keyof typeof kinds

/** Where a job of ours keeps the vendor’s id, for those who own the job. */
export const vendorJobOf = (jobId: string) => `vendor job of ${jobId}`
/** In its place when the launch failed. */
export const neverLaunched = 'failed'
/** Where it keeps how many companies it holds the price of. */
export const limitOf = (jobId: string) => `companies of ${jobId}`

export const poll = (http: ProviderHttp, kind: Kind, id: string, cursor?: string) =>
  http.get(`${kinds[kind]}${path`/${id}`}`, { query: { cursor } })

export const control = (http: ProviderHttp, id: string, action: string) =>
  http.send({ method: 'POST', path: `${kinds.tam}${path`/${id}/${action}`}` })
