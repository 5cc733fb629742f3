import { getDomain } from 'tldts'

/** Whether two addresses belong to one registered domain, or to one host without any. */
export function isSameSite(one: string, other: string): boolean {
  const { hostname } = new URL(one)
  const { hostname: otherHostname } = new URL(other)
  const domain = getDomain(hostname, { allowPrivateDomains: true })
  return domain === null
    ? hostname === otherHostname
    : domain === getDomain(otherHostname, { allowPrivateDomains: true })
}
