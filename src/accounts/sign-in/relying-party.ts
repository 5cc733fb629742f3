import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The site that passkeys are made for. Browsers use a passkey at no other. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * The site of a gateway at this address. Undefined where browsers have no passkeys: they need a domain name and TLS. A
 * gateway on a loopback address has the site `localhost`, at which it answers too.
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const url = URL.parse(baseUrl)
  if (url === null) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) {
    if (ipaddr.process(host).range() !== 'loopback') return undefined
    url.hostname = 'localhost'
  }
  const isTrusted = url.protocol === 'https:' || url.hostname === 'localhost'
  return isTrusted ? { id: url.hostname, origin: url.origin } : undefined
}
