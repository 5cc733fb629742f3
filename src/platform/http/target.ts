import { fail } from '#core/errors.ts'
import type { HttpRequest, QueryValue } from '#core/ports.ts'

export interface Target {
  readonly origin: string
  /** Path and query, as sent. */
  readonly path: string
  /** Host and path without the query, which may hold a credential: for the log. */
  readonly seen: string
}

const placeholder = /\{([a-z_]+)\}/g
const hostPart = /^[a-z0-9-]{1,63}$/

/** Where a request goes. Throws `bad_request` when a value for a `{placeholder}` is none that a host name can hold. */
export function resolveTarget(
  baseUrl: string,
  request: Pick<HttpRequest, 'method' | 'path' | 'query' | 'host'>,
  credentialQuery: Readonly<Record<string, string>> = {},
  hosts: readonly string[] = [],
): Target {
  const filled = baseUrl.replaceAll(placeholder, (_match, name: string) => {
    const value = request.host?.[name] ?? ''
    if (!hosts.includes(value) && !hostPart.test(value)) {
      throw fail('bad_request', { message: `"${value}" is no valid ${name}.` })
    }
    return value
  })
  if (!request.path.startsWith('/'))
    throw new TypeError(`The path ${request.path} is not absolute.`)
  const url = new URL(filled.replace(/\/+$/, '') + request.path)
  for (const [name, value] of Object.entries({ ...request.query, ...credentialQuery })) {
    for (const item of toList(value)) url.searchParams.append(name, String(item))
  }
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    seen: `${request.method} ${url.host}${url.pathname}`,
  }
}

function toList(value: QueryValue): readonly (string | number | boolean)[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as string | number | boolean]
}
