import { Resolver } from 'node:dns/promises'
import { errorCodeOf } from '#platform/thrown.ts'

/**
 * What the name servers say about a domain's mail. `accepts`: it has an MX record or, without one, an address.
 * `refuses`: it has neither, or a null MX record (RFC 7505). `unknown`: the name servers gave no answer.
 */
export type MailServers =
  | { readonly verdict: 'accepts'; readonly servers: readonly string[] }
  | { readonly verdict: 'refuses' | 'unknown' }

export type LookUpMailServers = (domain: string) => Promise<MailServers>

/** The part of Node's resolver that is used. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ readonly exchange: string; readonly priority: number }[]>
  resolve4(domain: string): Promise<string[]>
  resolve6(domain: string): Promise<string[]>
}

const timeoutMs = 3_000
const triesMax = 2
/** Answers for a missing record. EBADNAME: no domain can have this name. */
const nothingThere = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

export function createMailServerLookup(
  resolver: MailResolver = new Resolver({ timeout: timeoutMs, tries: triesMax }),
): LookUpMailServers {
  /** The records, possibly none; undefined if the name servers failed. */
  async function records<Item>(ask: Promise<Item[]>): Promise<Item[] | undefined> {
    try {
      return await ask
    } catch (thrown) {
      return nothingThere.has(errorCodeOf(thrown) ?? '') ? [] : undefined
    }
  }

  return async (domain) => {
    const exchanges = await records(resolver.resolveMx(domain))
    if (exchanges === undefined) return { verdict: 'unknown' }
    if (exchanges.length > 0) {
      const servers = exchanges
        .toSorted((one, other) => one.priority - other.priority)
        .map(({ exchange }) => exchange)
        .filter((exchange) => exchange !== '' && exchange !== '.')
      return servers.length === 0 ? { verdict: 'refuses' } : { verdict: 'accepts', servers }
    }
    const addresses = await Promise.all([
      records<string>(resolver.resolve4(domain)),
      records<string>(resolver.resolve6(domain)),
    ])
    if (addresses.some((list) => list !== undefined && list.length > 0)) {
      return { verdict: 'accepts', servers: [domain] }
    }
    return { verdict: addresses.includes(undefined) ? 'unknown' : 'refuses' }
  }
}
