// Words as numbers: a text becomes the hashes of its words, which is all that counting, comparing and matching need.

import { characterKind, joinBit, letterBit, lowerCode, unspacedBit } from '../page/characters.ts'

/** What words are made of. */
export const wordBits = letterBit | joinBit

const hashSeed = 0x811c9dc5
const hashPrime = 0x01000193

/**
 * Where the word that begins at `start` ends. Where words have no spaces between them, each character counts as one.
 */
export function wordEnd(text: string, start: number): number {
  if ((characterKind(text.charCodeAt(start)) & unspacedBit) !== 0) return start + 1
  let end = start + 1
  while (end < text.length) {
    const kind = characterKind(text.charCodeAt(end))
    if ((kind & wordBits) === 0 || (kind & unspacedBit) !== 0) break
    end += 1
  }
  return end
}

/** The same for words that differ in case only. */
export function hashWord(text: string, start: number, end: number): number {
  let hash = hashSeed
  for (let index = start; index < end; index += 1)
    hash = Math.imul(hash ^ lowerCode(text.charCodeAt(index)), hashPrime)
  return hash | 0
}

export function hashText(text: string): number {
  return hashWord(text, 0, text.length)
}

export function wordHashes(text: string): number[] {
  const hashes: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    if ((characterKind(text.charCodeAt(index)) & wordBits) === 0) continue
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
