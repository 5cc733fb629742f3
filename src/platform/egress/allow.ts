import ipaddr from 'ipaddr.js'

/** An exception of the operator: a name or a block of addresses, on one port or on all. */
export type AllowEntry =
  | { readonly kind: 'host'; readonly host: string; readonly port?: number }
  | {
      readonly kind: 'block'
      readonly block: [ipaddr.IPv4 | ipaddr.IPv6, number]
      readonly port?: number
    }

const hostPattern = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/

/**
 * Reads one entry of EGRESS_ALLOW: `wiki.corp`, `wiki.corp:8080`, `10.1.2.3`, `10.1.2.3:80`, `10.0.0.0/8`, `::1`,
 * `[::1]:80`, `fd00::/8`. Throws TypeError on anything else, so that a typing mistake is noticed.
 */
export function parseAllow(text: string): AllowEntry {
  const entry = text.trim().toLowerCase()
  if (ipaddr.isValidCIDR(entry)) return { kind: 'block', block: parseBlock(entry) }
  if (isAddress(entry)) return { kind: 'block', block: single(entry) }
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry)
  const host = match?.[1] ?? match?.[2] ?? ''
  const port = match?.[3] === undefined ? {} : { port: Number(match[3]) }
  if (port.port === undefined || (port.port > 0 && port.port <= 65_535)) {
    if (isAddress(host)) return { kind: 'block', block: single(host), ...port }
    if (match?.[1] === undefined && hostPattern.test(host)) return { kind: 'host', host, ...port }
  }
  throw new TypeError(`EGRESS_ALLOW: "${text}" is not a host, host:port, IP address or CIDR block.`)
}

/** Only the usual spelling of IPv4. ipaddr.js also accepts `10` and `0x7f.1`. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function parseBlock(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(text)
  return network.kind() === 'ipv6' && (network as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96
    ? [(network as ipaddr.IPv6).toIPv4Address(), bits - 96]
    : [network, bits]
}

function single(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
