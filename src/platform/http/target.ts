import { fail } from '#core/errors.ts'
import type { HttpRequest, QueryValue } from '#core/ports.ts'

export interface Target {
  readonly origin: string
  /** Path and query, as sent. */
  readonly path: string
  /** For the log: host and path, without the query, which may hold a credential. */
  readonly seen: string
}

const placeholder = /\{([a-z_]+)\}/g
const hostPart = /^[a-z0-9-]{1,63}$/

/**
 * Resolves the address of a request. Throws `bad_request` if the value of a `{placeholder}` cannot be part of a host
 * name.
 */
export function resolveTarget(
  baseUrl: string,
  request: Pick<HttpRequest, 'method' | 'path' | 'query' | 'host' | 'at' | 'anonymous'>,
  credentialQuery: Readonly<Record<string, string>> = {},
  hosts: readonly string[] = [],
): Target {
  const filled = baseUrl.replaceAll(placeholder, (_match, name: string) => {
    const value = request.host?.[name] ?? ''
    if (!hosts.includes(value) && !hostPart.test(value)) {
      throw fail('bad_request', { message: `"${value}" is not a valid ${name}.` })
    }
    return value
  })
  if (!request.path.startsWith('/'))
    throw new TypeError(`The path ${request.path} is not absolute.`)
  const base = request.at === undefined ? filled : admit(request, request.at, filled, hosts)
  const url = new URL(base.replace(/\/+$/, '') + request.path)
  for (const [name, value] of Object.entries({ ...request.query, ...credentialQuery })) {
    for (const item of toList(value)) url.searchParams.append(name, String(item))
  }
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    seen: `${request.method} ${url.host}${url.pathname}`,
  }
}

/** An address that the provider gave must be its own if it receives the operator's key, and encrypted otherwise. */
function admit(
  { anonymous }: Pick<HttpRequest, 'anonymous'>,
  at: string,
  baseUrl: string,
  hosts: readonly string[],
): string {
  const url = URL.parse(at)
  const own = new URL(baseUrl)
  const isOwn = hosts.some(
    (host) => host === url?.host || (host.startsWith('*.') && url?.host.endsWith(host.slice(1))),
  )
  if (
    url !== null &&
    (url.origin === own.origin || (url.protocol === 'https:' && (isOwn || anonymous)))
  )
    return at
  throw fail('upstream_error', {
    cause: new Error(`${own.host} named an address that is not its own: ${url?.host}.`),
  })
}

function toList(value: QueryValue): readonly (string | number | boolean)[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as string | number | boolean]
}
