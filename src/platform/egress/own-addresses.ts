// The addresses of this machine. Even its public ones lead to its own services, behind its firewall.
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Interfaces change with networks and containers. Listing them takes a fraction of a millisecond. */
const rememberedMs = 5_000

/** Whether an address belongs to an interface of this machine. */
export type OwnAddressTest = (address: string) => boolean

export function createOwnAddresses(
  list: () => readonly string[] = listInterfaceAddresses,
  now: () => number = Date.now,
): OwnAddressTest {
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  return (address) => {
    if (now() - readAt >= rememberedMs) {
      known = new Set(list().map(canonical))
      readAt = now()
    }
    return known.has(canonical(address))
  }
}

function listInterfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
}

/** One spelling for each address: mapped IPv4 as IPv4, and without the name of an interface. */
function canonical(text: string): string {
  const [bare = ''] = text.split('%')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toNormalizedString() : text
}
