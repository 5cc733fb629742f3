// What each UTF-16 code unit is, in a table: looking a character up is many times as fast as asking a regular
// expression.

export const letterBit = 1
export const upperBit = 2
export const digitBit = 4
/** Scripts written without spaces. */
export const unspacedBit = 8
/** A sign upon or below the letter before it. */
export const markBit = 16
/** The underscore, which is a part of words in code. */
export const joinBit = 32

const codeUnits = 65_536
const firstSurrogate = 0xd800
const afterSurrogates = 0xe000
const kinds = new Uint8Array(codeUnits)
const lower = new Uint16Array(codeUnits)
const unspacedScripts =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Khmer}\\p{sc=Lao}\\p{sc=Myanmar}]'
const unspaced = new RegExp(unspacedScripts, 'u')
fillTables()

/** As `kindOf` has it. Each start of a process waits for this, so it asks for whole ranges of characters. */
function fillTables(): void {
  for (let code = 0; code < codeUnits; code += 1) lower[code] = code
  const units = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(lower)
  lower.fill(0, firstSurrogate, afterSurrogates)
  for (const [start, end] of rangesOf('\\p{L}', units)) kinds.fill(letterBit, start, end)
  for (const [start, end] of rangesOf('\\p{N}', units)) kinds.fill(letterBit | digitBit, start, end)
  for (const [start, end] of rangesOf('\\p{M}', units)) kinds.fill(markBit, start, end)
  addBit('\\p{Changes_When_Lowercased}', upperBit, units)
  addBit(unspacedScripts, unspacedBit, units)
  for (let code = 0; code < codeUnits; code += 1) {
    if (((kinds[code] as number) & upperBit) === 0) continue
    const small = String.fromCharCode(code).toLowerCase()
    if (small.length === 1) lower[code] = small.charCodeAt(0)
  }
  kinds['_'.charCodeAt(0)] = joinBit
}

/** To letters, digits and marks only. */
function addBit(characters: string, bit: number, units: string): void {
  for (const [start, end] of rangesOf(characters, units))
    for (let code = start; code < end; code += 1) {
      const kind = kinds[code] as number
      if (kind !== 0) kinds[code] = kind | bit
    }
}

function rangesOf(characters: string, units: string): readonly (readonly [number, number])[] {
  return Array.from(
    units.matchAll(new RegExp(`${characters}+`, 'gu')),
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
}

/** Digits count as letters; `character` is one code point. */
function kindOf(character: string): number {
  const isLetter = /[\p{L}\p{N}]/u.test(character)
  const isMark = !isLetter && /\p{M}/u.test(character)
  if (character === '_') return joinBit
  if (!isLetter && !isMark) return 0
  return (
    (isLetter ? letterBit : markBit) |
    (isLetter && character.toLowerCase() !== character ? upperBit : 0) |
    (/\p{N}/u.test(character) ? digitBit : 0) |
    (unspaced.test(character) ? unspacedBit : 0)
  )
}

function isSurrogate(code: number): boolean {
  return code >= firstSurrogate && code < afterSurrogates
}

/** The bits of a code unit; 0 for surrogates. */
export function characterKind(code: number): number {
  return kinds[code] as number
}

/** Letters of more than one code unit in lower case stay as they are. */
export function lowerCode(code: number): number {
  return lower[code] as number
}

/** The bits of the character that begins at `index`, which may have two code units. */
export function characterKindAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return isSurrogate(code)
    ? kindOf(String.fromCodePoint(text.codePointAt(index) as number))
    : (kinds[code] as number)
}

/** In code units. */
export function characterLengthAt(text: string, index: number): number {
  if (!isSurrogate(text.charCodeAt(index))) return 1
  return (text.codePointAt(index) as number) >= codeUnits ? 2 : 1
}
