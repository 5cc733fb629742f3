// The forms in which a reply may repeat a secret: as it is, escaped for JSON, HTML or an address, in base64, or as
// hexadecimal digits. One pattern has them all, so that a text is read once.
import { secretCharactersMin } from '#core/input/secret-length.ts'

/** Each level of JSON within JSON doubles the backslashes; this is enough for four. */
const backslashes = '\\\\{1,15}'
const patternsKept = 200

const patterns = new Map<string, RegExp | undefined>()

/** Finds the secrets and their parts. Undefined where none is long enough to be told from other text. */
export function patternOf(secrets: readonly string[]): RegExp | undefined {
  const key = secrets.join('\n')
  if (patterns.has(key)) return patterns.get(key)
  const [oldest] = patterns.keys()
  if (oldest !== undefined && patterns.size >= patternsKept) patterns.delete(oldest)
  const parts = secrets
    .flatMap((secret) => [secret, ...secret.split(':')])
    .filter((part) => part.length >= secretCharactersMin)
  const forms = [...new Set(parts)].flatMap(formsOf)
  const pattern =
    forms.length === 0
      ? undefined
      : new RegExp(
          forms
            .toSorted((one, other) => other.length - one.length)
            .map(({ source }) => source)
            .join('|'),
          'g',
        )
  patterns.set(key, pattern)
  return pattern
}

interface Form {
  readonly source: string
  /** Of the text that it finds. */
  readonly length: number
}

function formsOf(part: string): Form[] {
  const { length } = part
  const bytes = Buffer.from(part)
  return [
    { source: [...part].map(escapedCharacter).join(''), length },
    { source: [...bytes.toString('hex')].map(inEitherCase).join(''), length: 2 * length },
    // Text before the secret shifts it by one or two bytes, which changes every digit.
    ...[0, 1, 2].map((before) => {
      const digits = base64Digits(bytes, before)
      const isPartAhead = ((before + bytes.length) * 8) % 6 !== 0
      const source = [...digits].map(base64Digit).join('') + (isPartAhead ? partDigit : '')
      return { source, length: digits.length }
    }),
  ]
}

/** Has bits of the secret and of what follows it, or ends the text. */
const partDigit = '[\\w+/-]?={0,2}'

/** The digits that depend on the secret alone, and on nothing before or after it. */
function base64Digits(bytes: Buffer, before: number): string {
  const first = Math.ceil((before * 8) / 6)
  const end = Math.floor(((before + bytes.length) * 8) / 6)
  return Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .slice(first, end)
}

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  const inJson = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `${backslashes}u${digits(unit.toString(16).padStart(4, '0'))}`)
    .join('')
  const inAddress = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${digits(byte.toString(16).padStart(2, '0'))}`)
    .join('')
  const inHtml = `&(?:amp;)?#(?:0{0,4}${code}|[xX]0{0,4}${digits(hex)});`
  return `(?:${[plain(character), inJson, inAddress, inHtml, ...named(character)].join('|')})`
}

/** JSON and most languages write a backslash before these; JSON must do so before two of them. */
const mayBeEscaped = /["'`/\\]/

function plain(character: string): string {
  const literal = literally(character)
  if (character === '\\') return backslashes
  return mayBeEscaped.test(character) ? `(?:${backslashes})?${literal}` : literal
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  ' ': '\\+',
}
const named = (character: string) => (character in names ? [names[character]] : [])

const digits = (hex: string) => [...hex].map(inEitherCase).join('')
const inEitherCase = (digit: string) =>
  /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit

/** Base64 for addresses writes two of the digits differently. */
function base64Digit(digit: string): string {
  if (digit === '+') return '[+-]'
  if (digit === '/') return `(?:_|(?:${backslashes})?/)`
  return digit
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
