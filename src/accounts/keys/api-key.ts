// The form of an API key: a prefix that secret scanners know, 30 random characters, and a checksum that tells a
// mistyped key from an unknown one without asking the database. Only its hash is stored.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPrefix = 'tw_live_'
const randomLength = 30
const checksumLength = 6
const keyPattern = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Characters of a key that are shown in lists; they say nothing about the rest. */
const shownLength = keyPrefix.length + 4

export function generateApiKey(): string {
  const random = Array.from(
    { length: randomLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join('')
  return `${keyPrefix}${random}${checksum(random)}`
}

/** Whether the text has the form of a key and its checksum is right. */
export function isWellFormedApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false
  const random = text.slice(keyPrefix.length, -checksumLength)
  return text.endsWith(checksum(random))
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

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
