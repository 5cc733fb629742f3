// Has the paths of each kind of background search at the vendor, and sends the requests about one.
import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

export const kinds = {
  tam: '/api/v1/tam/build',
  lookalikes: '/api/v1/account/search-lookalikes-bulk',
  tech_intent: '/api/v2/tech/companies/intent-search',
} as const
export type Kind = keyof typeof kinds

/** The kind of the handle with which a job stores the vendor’s id for its owner. */
export const vendorJobOf = (jobId: string) => `vendor job of ${jobId}`
/** Stored in place of the id when the launch failed. */
export const neverLaunched = 'failed'
export const vendorJobId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((id) => id !== neverLaunched)
/** The kind of the handle that holds the number of companies covered by the hold. */
export const limitOf = (jobId: string) => `companies of ${jobId}`

export const poll = (http: ProviderHttp, kind: Kind, id: string, cursor?: string) =>
  http.get(`${kinds[kind]}${path`/${id}`}`, { query: { cursor } })

export const control = (http: ProviderHttp, id: string, action: string) =>
  http.send({ method: 'POST', path: `${kinds.tam}${path`/${id}/${action}`}` })
