// Endpoints of the operator's file: a request template for the caller's parameters, and the place of the answer in the
// reply.
import type { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { HttpRequest, QueryValue, ServiceHttp } from '#core/ports.ts'
import type { AddedEndpointRow } from '../../lib/operator-file-schema.ts'
import { addedSchema } from './added-parameter.ts'
import type { PrimaryEndpoint } from './endpoints.ts'
import { parameters as builtIn } from './parameters.ts'
import { fillIn, fillPath, readPointer } from './template.ts'

/** Creates the client for a source that the operator has named. Its addresses pass the egress guard. */
export type OpenSource = (source: { readonly endpoint: string; readonly origin: string }) => {
  readonly http: ServiceHttp
  /** Throws CallError `bad_url` for an address that must not be opened from the operator's network. */
  readonly admitAddress: (address: string) => Promise<void>
}

export interface AddedEndpoint extends PrimaryEndpoint {
  readonly parameters: Readonly<Record<string, z.ZodType>>
}

export function createAddedEndpoints(
  rows: Readonly<Record<string, AddedEndpointRow>>,
  parts: { readonly openSource: OpenSource; readonly variables: ReadonlyMap<string, string> },
): Readonly<Record<string, AddedEndpoint>> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, createEndpoint(name, row, parts)]),
  )
}

function createEndpoint(
  endpoint: string,
  row: AddedEndpointRow,
  { openSource, variables }: Parameters<typeof createAddedEndpoints>[1],
): AddedEndpoint {
  const { request, parameters: own } = row
  const url = new URL(request.url)
  const { http, admitAddress } = openSource({ endpoint, origin: url.origin })
  const named = (wanted: boolean) =>
    Object.keys(own).filter((name) => (own[name]?.required ?? false) === wanted)
  const missing = row.keys.find((key) => !variables.has(key))
  return {
    summary: row.summary,
    synonyms: row.synonyms,
    cents: row.price_cents,
    required: named(true),
    optional: named(false),
    example: row.example,
    unavailable: missing === undefined ? undefined : `Set ${missing} and restart.`,
    parameters: Object.fromEntries(
      Object.entries(own)
        .filter(([name]) => !(name in builtIn))
        .map(([name, parameter]) => [name, addedSchema(parameter)]),
    ),
    async run({ input, signal }) {
      const values = membersOf(input)
      for (const [name, { type }] of Object.entries(own)) {
        const isAddress = type === 'url' || (name === 'url' && name in builtIn)
        if (isAddress && values[name] !== undefined) await admitAddress(String(values[name]))
      }
      const { body } = await http.withSignal(signal).send({
        method: request.method,
        path: fillPath(url.pathname, values),
        query: {
          ...Object.fromEntries(url.searchParams),
          ...(fillIn(request.query, { values, variables }) as Record<string, QueryValue>),
        },
        headers: fillIn(request.headers, { values: {}, variables }) as Record<string, string>,
        ...(request.method === 'POST' && { body: fillIn(request.body, { values, variables }) }),
        as: request.as,
        rememberSeconds: request.method === 'GET' ? row.cache_seconds : undefined,
      } satisfies HttpRequest)
      return { source: row.source, result: wrap(readPointer(body, row.result), request.as) }
    },
  }
}

/** An answer is an object, so a list becomes `items`, a text `text` and any other value `value`. */
function wrap(found: unknown, as: 'json' | 'text'): object {
  if (found === undefined || found === null) {
    throw fail('not_found', { message: 'The source has nothing on this. Nothing was charged.' })
  }
  if (Array.isArray(found)) return { items: found }
  if (typeof found === 'object') return found
  return as === 'text' ? { text: found } : { value: found }
}
