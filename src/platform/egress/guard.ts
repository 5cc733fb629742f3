// The guard for every address that a caller supplies. It decides whether a URL may be requested and which addresses of
// its host may be dialled. It does no I/O except the name lookup that it is given. dial.ts takes its addresses from
// here, so a name cannot resolve differently between the check and the connection.
import { lookup as systemLookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type AllowEntry, parseAllow } from './allow.ts'
import { createOwnAddresses, type OwnAddressTest } from './own-addresses.ts'

export type EgressReason =
  | 'scheme'
  | 'port'
  | 'not_public'
  | 'no_address'
  /** The address is this machine or this gateway. */
  | 'own'
  | 'allowance'
  /** The site asks robots to stay away. */
  | 'robots'

/** The guard refused. The message is for the caller; it names the host but never the address behind it. */
export class EgressRefusal extends Error {
  readonly reason: EgressReason
  /** The address was the target of a redirect. */
  readonly isOfRedirect: boolean

  constructor(reason: EgressReason, message: string, { isOfRedirect = false } = {}) {
    super(message)
    this.name = 'EgressRefusal'
    this.reason = reason
    this.isOfRedirect = isOfRedirect
  }

  ofRedirect(): EgressRefusal {
    return new EgressRefusal(this.reason, this.message, { isOfRedirect: true })
  }
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

export type Lookup = (host: string) => Promise<readonly string[]>

export interface EgressGuard {
  /** Checks all that needs no lookup: scheme, port, IP literals. Throws EgressRefusal. */
  admit(url: URL): void
  /** All addresses that may be dialled for this host and port, never an empty list. Throws EgressRefusal. */
  resolve(host: string, port: number): Promise<readonly ResolvedAddress[]>
}

export interface EgressGuardOptions {
  /** Hosts, `host:port`, IPs and CIDR blocks that are allowed although they are not public. */
  readonly allow?: readonly string[]
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: Lookup
  /** Tells this machine's addresses. Default: those of its network interfaces. */
  readonly isOwnAddress?: OwnAddressTest
  /** The public name of this gateway. Other names at the same addresses, such as a shared front, are not refused. */
  readonly ownHost?: string | undefined
}

/**
 * Ports of services other than the web. A public host may serve pages on any other port, such as 8080, 3000 or 8443.
 * The list has the ports that the Fetch standard and Chromium block, and databases that might read an HTTP request as
 * commands.
 */
const portsRefused: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
  5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
])

/** Internal addresses in a public range: Azure serves metadata and DNS from this one. */
const internalThoughPublic = ['168.63.129.16/32'].map((block) => ipaddr.parseCIDR(block))

/** The public IPv6 internet. ipaddr.js also reports unassigned space as unicast. */
const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3')

export function createEgressGuard(options: EgressGuardOptions = {}): EgressGuard {
  const allow = (options.allow ?? []).map(parseAllow)
  const lookup = options.lookup ?? lookupSystem
  const isOwnAddress = options.isOwnAddress ?? createOwnAddresses()
  const ownHost = options.ownHost === undefined ? undefined : bareHost(options.ownHost)

  /** A gateway that reads itself could do so in an endless loop. */
  function admitName(host: string, port: number): void {
    if (host !== ownHost || allow.some((entry) => opens(entry, host, port))) return
    throw new EgressRefusal(
      'own',
      `${host} is this gateway itself. Only its pages under /docs/ can be read.`,
    )
  }

  function admitAddress(host: string, address: string, port: number): void {
    if (isPublicAddress(address) && !isOwnAddress(address)) return
    if (allow.some((entry) => opens(entry, address, port))) return
    throw isPublicAddress(address) ? ownMachine(host) : notPublic(host)
  }

  return {
    admit(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new EgressRefusal(
          'scheme',
          `Only http and https addresses can be read, not ${url.protocol}`,
        )
      const host = bareHost(url.hostname)
      const port = portOf(url)
      admitPort(allow, host, port)
      admitName(host, port)
      if (ipaddr.isValid(host)) admitAddress(host, host, port)
      else if (
        isLoopbackName(host) &&
        !['127.0.0.1', '::1', host].some((each) => allow.some((entry) => opens(entry, each, port)))
      )
        throw notPublic(host)
    },

    async resolve(rawHost, port) {
      const host = bareHost(rawHost)
      admitPort(allow, host, port)
      admitName(host, port)
      const named = allow.some((entry) => entry.kind === 'host' && opens(entry, host, port))
      const addresses = ipaddr.isValid(host) ? [host] : await lookup(host)
      if (addresses.length === 0)
        throw new EgressRefusal('no_address', `The name ${host} has no address.`)
      // DNS rebinding mixes private addresses with public ones, so every address must pass.
      if (!named) for (const address of addresses) admitAddress(host, address, port)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** The port of a URL, or the default of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Whether the address is on the public internet. Mapped IPv4 counts as IPv4; tunnelled IPv4 is refused. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6') return address.match(globalUnicastV6)
  return !internalThoughPublic.some((block) => address.match(block))
}

function admitPort(allow: readonly AllowEntry[], host: string, port: number): void {
  if (!portsRefused.has(port)) return
  if (allow.some((entry) => entry.port === port && opens(entry, host, port))) return
  throw new EgressRefusal('port', `Port ${port} of ${host} is not a port for web pages.`)
}

function ownMachine(host: string): EgressRefusal {
  return new EgressRefusal('own', `${host} is the machine that this gateway runs on.`)
}

function notPublic(host: string): EgressRefusal {
  return new EgressRefusal('not_public', `${host} is not on the public internet.`)
}

/** Names that mean this machine by standard, without a lookup. */
function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function opens(entry: AllowEntry, hostOrAddress: string, port: number): boolean {
  if (entry.port !== undefined && entry.port !== port) return false
  if (entry.kind === 'host') return entry.host === hostOrAddress
  if (!ipaddr.isValid(hostOrAddress)) return false
  const address = ipaddr.process(hostOrAddress)
  const [network, bits] = entry.block
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Without the brackets of `[::1]` or the trailing dot of a name. */
function bareHost(host: string): string {
  if (host.startsWith('[')) return host.slice(1, -1)
  return (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase()
}

async function lookupSystem(host: string): Promise<readonly string[]> {
  try {
    return (await systemLookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
