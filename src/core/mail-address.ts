// Addresses of e-mail, as callers write them. Pure.

export interface Mailbox {
  /** In ASCII, with its domain in lower case. */
  readonly address: string
  /** Empty if there is none. */
  readonly name: string
}

/**
 * RFC 5321 limits both parts. Quoted local parts are refused: nearly no mailbox has one, and many servers misread them.
 */
const localPart = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
const textMax = 500

/**
 * Reads `ada@example.org` or `Ada Lovelace <ada@example.org>`. Undefined for anything else, several addresses included.
 */
export function readMailbox(text: string): Mailbox | undefined {
  // A line break would add a header to the mail.
  if (text.length > textMax || /\p{Cc}/u.test(text) || !text.isWellFormed()) return undefined
  const [, name = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = readAddress(inner ?? text)
  if (address === undefined) return undefined
  return { address, name: name.trim().replace(/^"(.*)"$/, '$1') }
}

function readAddress(text: string): string | undefined {
  const [, local = '', domain = ''] = /^([^@\s]+)@([^@\s]+)$/.exec(text.trim()) ?? []
  const host = toAsciiDomain(domain)
  return localPart.test(local) && host !== undefined ? `${local}@${host}` : undefined
}

/** Domains of other scripts in the form of DNS. */
function toAsciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  const host = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''
  return domainName.test(host) ? host : undefined
}

/** The part after the @, in lower case. */
export const domainOf = (address: string) =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()
