// The form of an API key: a prefix that secret scanners recognise, 30 random characters, and a checksum that tells a
// mistyped key from an unknown one without asking the database. Only the hash of a key is stored.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPrefix = 'tw_live_'
const randomLength = 30
const checksumLength = 6
const keyPattern = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Characters of a key that lists show. They reveal nothing of the rest. */
const shownLength = keyPrefix.length + 4

export function generateApiKey(): string {
  const random = Array.from(
    { length: randomLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join('')
  return `${keyPrefix}${random}${checksum(random)}`
}

/**
 * The SHA-256 of a key, one character for each byte. Caches and the database know a key by its hash, so that a dump of
 * them shows no key.
 */
export type ApiKeyHash = string & { readonly kind: 'ApiKeyHash' }

/** Undefined for a text that does not have the form of a key, or whose checksum is wrong. */
export function readApiKey(text: string): ApiKeyHash | undefined {
  if (!keyPattern.test(text)) return undefined
  const random = text.slice(keyPrefix.length, -checksumLength)
  return text.endsWith(checksum(random)) ? hashApiKey(text) : undefined
}

const accessTokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The SHA-256 of an OAuth access token. Undefined for a text that does not have the form of one. */
function readAccessToken(text: string): ApiKeyHash | undefined {
  return accessTokenPattern.test(text) ? hashApiKey(text) : undefined
}

/** The SHA-256 of an API key or an access token. Undefined for a text that does not have the form of either. */
export const readBearer = (text: string): ApiKeyHash | undefined =>
  readApiKey(text) ?? readAccessToken(text)

export function hashApiKey(key: string): ApiKeyHash {
  return hash('sha256', key, 'binary') as ApiKeyHash
}

/** The bytes of a hash, as the database stores them. */
export const bytesOfHash = (hash: ApiKeyHash): Buffer => Buffer.from(hash, 'latin1')

/** A hash from the bytes that the database stores. */
export const hashOfBytes = (bytes: Buffer) => bytes.toString('latin1') as ApiKeyHash

export function shownPrefix(key: string): string {
  return key.slice(0, shownLength)
}

function checksum(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
