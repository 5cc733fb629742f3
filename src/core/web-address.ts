// Turns a caller's text into a web address, or refuses it for free.
import { fail } from './errors.ts'

export const urlCharactersMax = 2_048

/** Whether a text without a scheme is likely an address, judged by its host name. */
export type BareHostTest = (text: string, hostname: string) => boolean

/** A host without a dot is on an intranet or is a search term; a text with an @ is an e-mail address. */
const hasDot: BareHostTest = (text, hostname) => /\.|^\[/.test(hostname) && !/^[^/?#]*@/.test(text)

/** Adds https to bare hosts; removes fragment, credentials, default port and trailing dot. Throws `bad_url`. */
export function normalizeUrl(input: string, isBareHost = hasDot): string {
  const text = input.trim()
  if (text === '') throw badUrl(input, 'It is empty.')
  if (text.length > urlCharactersMax)
    throw badUrl(input, `Addresses have at most ${urlCharactersMax} characters.`)
  const url = URL.parse(hasScheme(text) ? text : `https://${text.replace(/^\/\//, '')}`)
  if (url === null) throw badUrl(input, 'It is not a web address.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badUrl(input, 'Only http and https addresses are read.')
  url.hash = ''
  url.username = ''
  url.password = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (!hasScheme(text) && !isBareHost(text, url.hostname))
    throw badUrl(input, 'It is not a web address. If it is one, write https:// in front of it.')
  return url.href
}

/** An address for a log line: its query and its credentials may be secrets. */
export function addressForLog(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? 'not an address' : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

/** `localhost:3000` has no scheme although URL thinks so; `mailto:a@b.c` has one. */
function hasScheme(text: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[a-z][a-z0-9+-]*:(?!\d{1,5}(?:[/?#]|$))/i.test(text)
  )
}

export function badUrl(input: string, reason: string) {
  return fail('bad_url', {
    message: `${quoted(input)} cannot be read. ${reason} Nothing was charged.`,
  })
}

/** The caller's text for a message, quoted and shortened. */
export function quoted(input: string): string {
  const charactersShown = 200
  return `"${input.length > charactersShown ? `${input.slice(0, charactersShown)}…` : input}"`
}
