// Which hosts and origins may use the MCP endpoint. A page whose name is made to resolve to this machine (DNS
// rebinding) would send its own host and origin, so both are refused. Source: MCP, "Streamable HTTP", "Security
// Warning".
import { isIP } from 'node:net'
import { fail } from '#core/errors.ts'

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Throws `forbidden` unless the host is this gateway's, a loopback name or an IP address, which no page can claim as
 * its own name, and the origin, where a browser sends one, is the same or a loopback name.
 */
export function requireKnownHost(
  { host, origin }: { host: string | undefined; origin: string | undefined },
  baseUrl: string,
): void {
  const own = nameOf(baseUrl)
  const known = [...loopback, ...(own === undefined ? [] : [own])]
  const name = nameOf(`http://${host}`)
  if (name === undefined || !(known.includes(name) || isAddress(name)))
    throw fail('forbidden', {
      message: `This gateway does not answer MCP under the host ${host?.slice(0, 100)}. Use ${baseUrl}/mcp, or set PUBLIC_BASE_URL to the address that clients use.`,
    })
  if (origin !== undefined && !known.includes(nameOf(origin) ?? ''))
    throw fail('forbidden', {
      message: `Pages of ${origin.slice(0, 100)} may not use this MCP endpoint. Call it from a program, or from a page of this gateway.`,
    })
}

function nameOf(address: string): string | undefined {
  const { hostname } = URL.parse(address) ?? {}
  return hostname === undefined || hostname === '' ? undefined : hostname
}

const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
