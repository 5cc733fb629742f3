// Pictures and files of a request: their bytes, or an address from which the provider fetches them.
import ipaddr from 'ipaddr.js'
import { readDataAddress } from '#core/input/data-address.ts'
import { invalid } from './fields.ts'

const pictureTypes: ReadonlySet<string> = new Set(
  ['png', 'jpeg', 'gif', 'webp'].map((type) => `image/${type}`),
)

/** Throws `bad_request` unless it is a picture as a data URL, or a public address. */
export function requirePicture(url: string, at: string): void {
  if (!url.startsWith('data:')) {
    requirePublicAddress(url, at, 'A picture must be an https address or a base64 data URL.')
    return
  }
  if (!pictureTypes.has(readDataAddress(url)?.mediaType ?? ''))
    throw invalid(at, 'A picture must be a base64 png, jpeg, gif or webp, or an https address.')
}

/** The provider fetches it. Throws `bad_request` for an address that is not public. */
export function requirePublicAddress(
  url: string,
  at: string,
  otherwise = `${at} must be an https address.`,
): void {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw invalid(at, otherwise)
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isPublic = ipaddr.isValid(host)
    ? ipaddr.process(host).range() === 'unicast'
    : host.includes('.') && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host)
  if (!isPublic) throw invalid(at, `${host.slice(0, 100)} is not on the public internet.`)
}
