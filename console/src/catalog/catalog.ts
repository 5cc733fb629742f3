// What the gateway sells, as it describes itself.
import { type AnswerOf, tollway } from '../gateway.ts'

export type CatalogList = AnswerOf<'GET /api/run'>
export type ListedAction = CatalogList['actions'][number]
export type Mode = ListedAction['mode']
export type DescribedAction = AnswerOf<'GET /api/run/{service}/{action}'>

let latest: Promise<CatalogList> | undefined

/** Asks the gateway, because prices and modes change. The browser keeps the list and asks whether it is still right. */
export function readCatalog(): Promise<CatalogList> {
  const asked = tollway.request('GET /api/run').catch((error) => {
    if (latest === asked) latest = undefined
    throw error
  })
  latest = asked
  return asked
}

/** The list that was read last, for pages that need the names of actions only. */
export const knownCatalog = () => latest ?? readCatalog()

export const describeAction = (service: string, action: string, signal: AbortSignal) =>
  tollway.request('GET /api/run/{service}/{action}', {
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

/** How wallets can pay: the names of the payment rails. */
export const protocolsOf = ({ price }: Pick<ListedAction, 'price'>): string[] =>
  price.protocols.flatMap((protocol) => Object.keys(protocol))
