// The charset of text that does not declare one, or declares it wrongly.
import { detect } from 'jschardet'

/** What the web uses, by the names of the detector. */
const detectEncodings =
  `big5hkscs cp866 cp874 cp932 cp949 euc-jis-2004 euc-kr gb18030 iso-8859-2 iso-8859-5 iso-8859-6
  iso-8859-7 iso-8859-8 koi8-r koi8-u shift_jis_2004 tis-620 windows-1250 windows-1251 windows-1252 windows-1253
  windows-1254 windows-1255 windows-1256 windows-1257 windows-1258`.split(/\s+/)
/** Where the detector's name is not a label of the Encoding standard. */
const labels: ReadonlyMap<string, string> = new Map([
  ['cp874', 'windows-874'],
  ['cp932', 'shift_jis'],
  ['cp949', 'euc-kr'],
])

/** Around the first byte that is not ASCII, tags included. */
const searchedBytesMax = 200_000
/** Of their text. */
const sampleBytesMax = 16_000
const bytesBeforeMax = 200

/** The likeliest charset of a page by its text, as a label of TextDecoder. Undefined for ASCII. */
export function detectCharset(bytes: Buffer): string | undefined {
  const first = bytes.findIndex((byte) => byte > 0x7f)
  if (first === -1) return undefined
  const start = Math.max(0, first - bytesBeforeMax)
  // In none of these charsets does a longer character contain `<` or `>`.
  const sample = bytes
    .subarray(start, first + searchedBytesMax)
    .toString('latin1')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[ \t\r\n]+/g, ' ')
    .slice(0, sampleBytesMax)
  const text = Buffer.from(sample, 'latin1')
  const name = detect(text, { detectEncodings }).encoding?.toLowerCase()
  if (name === 'windows-1250' && isSpanish(text)) return 'windows-1252'
  return name === undefined ? undefined : (labels.get(name) ?? name)
}

/** Polish and Slovak have no vowel after `ń`; the byte of it is the `ñ` of windows-1252. */
function isSpanish(text: Buffer): boolean {
  const read = (charset: string) => new TextDecoder(charset).decode(text)
  const western = read('windows-1252')
  const letters = [...read('windows-1250')].filter((letter, index) => letter !== western[index])
  return (
    letters.length > 0 &&
    letters.every((letter) => /[ńŃ]/.test(letter)) &&
    !/ñ(?![aeiouáéíóú])/i.test(western)
  )
}
