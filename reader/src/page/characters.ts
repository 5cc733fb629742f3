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
const kinds = new Uint8Array(codeUnits)
const lower = new Uint16Array(codeUnits)
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u
fillTables()

function fillTables(): void {
  for (let code = 0; code < codeUnits; code += 1) {
    if (isSurrogate(code)) continue
    const character = String.fromCharCode(code)
    lower[code] = code
    kinds[code] = kindOf(character)
    const small = character.toLowerCase()
    if (((kinds[code] as number) & letterBit) !== 0 && small.length === 1)
      lower[code] = small.charCodeAt(0)
  }
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
  return code >= 0xd800 && code < 0xe000
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
