// What the gateway sells, as it describes itself.

import type { Schema } from '../forms/schema.ts'
import { requestUntyped, tollway } from '../gateway.ts'

export type Mode = 'live' | 'keyless' | 'embedded' | 'unavailable'

export interface CatalogPrice {
  readonly protocols: readonly string[]
  readonly text: string
}

export interface ListedAction {
  readonly service: string
  readonly action: string
  readonly summary: string
  readonly mode: Mode
  readonly async: boolean
  readonly price: CatalogPrice
}

export interface CatalogList {
  readonly services: readonly { service: string; title: string; mode: Mode; reason?: string }[]
  readonly actions: readonly ListedAction[]
}

export interface DescribedAction extends ListedAction {
  readonly notes?: string
  readonly reason?: string
  readonly input_schema: Schema
  readonly example?: { readonly input?: Readonly<Record<string, unknown>> }
  readonly docs?: string
}

let listed: Promise<CatalogList> | undefined

/** The list seldom changes while a page is open, so it is asked for once. */
export function readCatalog(): Promise<CatalogList> {
  listed ??= requestUntyped<CatalogList>('GET /api/run').catch((error) => {
    listed = undefined
    throw error
  })
  return listed
}

export const describeAction = (service: string, action: string, signal: AbortSignal) =>
  requestUntyped<DescribedAction>('GET /api/run/{service}/{action}', {
    path: { service, action },
    signal,
  })

const hitsMax = 20

/** The names of the actions that answer a question, the best first. */
export async function discover(question: string, signal: AbortSignal): Promise<string[]> {
  const hits = await tollway.discover(question, { limit: hitsMax, signal })
  return hits.map(({ service, action }) => `${service}/${action}`)
}

export const nameOf = ({ service, action }: Pick<ListedAction, 'service' | 'action'>) =>
  `${service}/${action}`
