// The routes other than actions: the account, its keys, transactions and sessions, and what the operator may do.
import { keyedRoutes } from './catalog/keyed-routes.ts'
import type { Routes } from './catalog/routes.ts'
import { newIdempotencyKey } from './idempotency.ts'
import { readPages } from './pages.ts'
import type { Sending, Transport } from './transport.ts'

export type RouteName = keyof Routes

/** The routes whose answer has the rows of a list. */
export type ListName = {
  [Name in RouteName]: Routes[Name] extends { readonly rows: string } ? Name : never
}[RouteName]

/** What is sent to a route besides its name. A part of which everything is optional may be left out. */
export type Sent<Name extends RouteName> = PartsOf<Routes[Name]> & RequestOptions

type Part = 'path' | 'query' | 'body'
type PartsOf<Route> = {
  readonly [Each in Part & keyof Route as object extends Route[Each] ? never : Each]: Route[Each]
} & {
  readonly [Each in Part & keyof Route as object extends Route[Each] ? Each : never]?: Route[Each]
}

export interface RequestOptions {
  /** For routes that take one. Default: a random one, so that a lost answer does not repeat the work. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export type SentTo<Name extends RouteName> =
  object extends Sent<Name> ? [sent?: Sent<Name>] : [sent: Sent<Name>]

/** A row of the list that a route answers. */
export type RowOf<Name extends ListName> = Routes[Name] extends {
  readonly rows: infer Rows
  readonly answer: infer Answer
}
  ? Rows extends keyof Answer
    ? Answer[Rows] extends readonly (infer Row)[]
      ? Row
      : never
    : never
  : never

interface AnySent extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: object
}

export function openRoutes(transport: Transport) {
  function request(route: string, sent: AnySent = {}): Promise<unknown> {
    const [method, template = ''] = route.split(' ')
    const { path = {}, query = {}, body, signal } = sent
    const isKeyed = keyedRoutes.has(route)
    return transport.send(
      {
        method: method as Sending['method'],
        at: fill(template, path) + write(query),
        json: body,
        idempotencyKey: isKeyed ? (sent.idempotencyKey ?? newIdempotencyKey()) : undefined,
        signal,
      },
      readBody,
    )
  }

  async function* list(route: string, sent: AnySent = {}): AsyncGenerator<unknown, void> {
    const pages = readPages(sent.query ?? {}, async (query) => ({
      data: (await request(route, { ...sent, query })) as object,
    }))
    for await (const { data } of pages) yield* Object.values(data).find(Array.isArray) ?? []
  }

  return { request, list }
}

const fill = (template: string, path: Readonly<Record<string, string>>) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''))

function write(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

const readBody = (response: Response): Promise<unknown> =>
  /\bjson\b/.test(response.headers.get('content-type') ?? '') ? response.json() : response.blob()
