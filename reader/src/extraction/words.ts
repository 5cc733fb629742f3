// Words as numbers: a text becomes the hashes of its words, which is all that counting, comparing and matching need.

/** What a UTF-16 code unit is, as bits. */
export const letterBit = 1
export const upperBit = 2
export const digitBit = 4
/** Scripts written without spaces: each character is a word. */
const unspacedBit = 8

const codeUnits = 65_536
const kinds = new Uint8Array(codeUnits)
const lower = new Uint16Array(codeUnits)
fillTables()

function fillTables(): void {
  const unspaced =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u
  for (let code = 0; code < codeUnits; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const character = String.fromCharCode(code)
    lower[code] = code
    if (code === 0x5f) kinds[code] = letterBit
    if (!/[\p{L}\p{N}]/u.test(character)) continue
    const small = character.toLowerCase()
    if (small.length === 1) lower[code] = small.charCodeAt(0)
    kinds[code] =
      letterBit |
      (small === character ? 0 : upperBit) |
      (/\p{N}/u.test(character) ? digitBit : 0) |
      (unspaced.test(character) ? unspacedBit : 0)
  }
}

export function characterKind(code: number): number {
  return kinds[code] as number
}

const hashSeed = 0x811c9dc5
const hashPrime = 0x01000193

/** Where the word that begins at `start` ends. */
export function wordEnd(text: string, start: number): number {
  if (((kinds[text.charCodeAt(start)] as number) & unspacedBit) !== 0) return start + 1
  let end = start + 1
  while (end < text.length) {
    const kind = kinds[text.charCodeAt(end)] as number
    if ((kind & letterBit) === 0 || (kind & unspacedBit) !== 0) break
    end += 1
  }
  return end
}

/** The same for words that differ in case only. */
export function hashWord(text: string, start: number, end: number): number {
  let hash = hashSeed
  for (let index = start; index < end; index += 1)
    hash = Math.imul(hash ^ (lower[text.charCodeAt(index)] as number), hashPrime)
  return hash | 0
}

export function hashText(text: string): number {
  return hashWord(text, 0, text.length)
}

export function wordHashes(text: string): number[] {
  const hashes: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    if (((kinds[text.charCodeAt(index)] as number) & letterBit) === 0) continue
    const end = wordEnd(text, index)
    hashes.push(hashWord(text, index, end))
    index = end - 1
  }
  return hashes
}

/** One number for `length` words from `start` on. */
export function hashRun(hashes: ArrayLike<number>, start: number, length: number): number {
  let hash = hashSeed
  for (let index = start; index < start + length; index += 1) {
    hash = Math.imul(hash ^ (hashes[index] as number), hashPrime)
    hash ^= hash >>> 15
  }
  return hash | 0
}
