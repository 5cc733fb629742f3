// How many different names the fields of a JSON text have. Each new name costs the parser some microseconds, in which
// the gateway serves no other caller: 600,000 of them take seconds, and rows with the same fields take none.
import { fail } from '#core/errors.ts'

const fieldNamesMax = 100_000
/** A name that no other field has is written in at least so many bytes: `"a":1,`. */
const bytesPerNameMin = 6
/** Names are told apart by this many bits of a hash, so that of many names a few are taken for others. */
const hashBits = 22

const quote = 34
const backslash = 92
const colon = 58
const space = 32

/** A character of a text is at most so many bytes. */
const bytesPerCharacterMax = 3

/** Throws `upstream_error`. */
export function refuseManyNames(json: Uint8Array | string): void {
  if (hasTooManyNames(json)) throw tooManyNames()
}

export function hasTooManyNames(json: Uint8Array | string): boolean {
  const least = fieldNamesMax * bytesPerNameMin
  if (typeof json !== 'string') return json.length >= least && hasMoreNames(json, fieldNamesMax)
  return json.length * bytesPerCharacterMax >= least && hasTooManyNames(Buffer.from(json))
}

export const tooManyNames = () =>
  fail('upstream_error', {
    message: `The provider’s answer has more than ${fieldNamesMax} different names of fields, which this gateway does not read. Ask for less. Nothing was charged.`,
  })

export function hasMoreNames(json: Uint8Array, namesMax: number): boolean {
  const seen = new Uint8Array(2 ** hashBits / 8)
  let names = 0
  for (let at = 0; at < json.length; at++) {
    if (json[at] !== quote) continue
    let hash = 0x811c9dc5
    for (at++; at < json.length && json[at] !== quote; at++) {
      hash = Math.imul(hash ^ (json[at] ?? 0), 0x01000193)
      if (json[at] === backslash) at++
    }
    let next = at + 1
    while ((json[next] ?? quote) <= space) next++
    if (json[next] !== colon) continue
    const place = (hash ^ (hash >>> hashBits)) & (2 ** hashBits - 1)
    const bit = 1 << (place & 7)
    const byte = seen[place >> 3] ?? 0
    if ((byte & bit) !== 0) continue
    seen[place >> 3] = byte | bit
    names += 1
    if (names > namesMax) return true
  }
  return false
}
