// Bytes to text. Valid UTF-8 is read as UTF-8, even where the page claims another encoding: no other encoding looks
// like it by accident, and UTF-8 pages with a wrong label or none are frequent. Other pages are read as they declare,
// and by their content where they declare nothing or something that their bytes contradict.
import { getEncoding } from 'encoding-sniffer'
import { detectCharset } from './detect-charset.ts'

const sniffedBytesMax = 4_096
const zeroShareMin = 0.1
/** With it ISO-2022-JP goes from one alphabet to another: the one encoding that is valid UTF-8 without being it. */
const escapeByte = 0x1b
/**
 * Of the characters beyond ASCII, how many may be undecodable before a declaration counts as wrong. Pages of UTF-8
 * quote bytes of other charsets, so that half of them may be.
 */
const undecodableShareMax = { utf8: 0.5, other: 0.02 } as const

export interface DecodedText {
  readonly text: string
  readonly charset: string
}

export function decodeText(bytes: Buffer, contentType: string | undefined): DecodedText {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return decodeAs(bytes, marked)
  const wide = wideCharset(bytes)
  const declared = declaredCharset(bytes, contentType)
  if (wide === undefined && !isSevenBits(bytes, declared)) {
    const text = decodeUtf8(bytes)
    if (text !== undefined) return { text, charset: 'utf-8' }
  }
  const asDeclared = declared === undefined ? undefined : decodeAs(bytes, declared)
  if (asDeclared !== undefined && !isContradicted(asDeclared)) return asDeclared
  if (wide !== undefined) return decodeAs(bytes, wide)
  const guess = detectCharset(bytes) ?? defaultCharset
  const detected = decodeAs(bytes, isKnown(guess) ? guess : defaultCharset)
  const isBetter =
    asDeclared === undefined || undecodableShare(detected.text) < undecodableShare(asDeclared.text)
  return isBetter ? detected : asDeclared
}

const defaultCharset = 'windows-1252'

function isContradicted({ text, charset }: DecodedText): boolean {
  const { utf8, other } = undecodableShareMax
  return undecodableShare(text) > (charset === 'utf-8' ? utf8 : other)
}

/** Of the characters beyond ASCII, how many stand for bytes that could not be decoded. */
function undecodableShare(text: string): number {
  let beyondAscii = 0
  let undecodable = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) beyondAscii += 1
    if (code === replacement) undecodable += 1
  }
  return beyondAscii === 0 ? 0 : undecodable / beyondAscii
}

const replacement = 0xfffd

/**
 * Undefined where the bytes are not UTF-8. A last character that is cut off is left out, unless it is the only one
 * beyond ASCII.
 */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return text.length === bytes.length || /\P{ASCII}/u.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

function isSevenBits(bytes: Buffer, declared: string | undefined): boolean {
  return declared === 'iso-2022-jp' && bytes.includes(escapeByte)
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * A label in lower case, or undefined where neither the header nor the page names a known one. Where they disagree, the
 * content decides: a header is often the same for all pages of a server.
 */
function declaredCharset(bytes: Buffer, contentType: string | undefined): string | undefined {
  const named = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? '')?.[1]
  const header = named !== undefined && isKnown(named) ? named.toLowerCase() : undefined
  const found = getEncoding(bytes.subarray(0, sniffedBytesMax), {
    maxBytes: sniffedBytesMax,
    defaultEncoding: undeclared,
  }).toLowerCase()
  const page = isKnown(found) ? found : undefined
  if (header === undefined || page === undefined) return header ?? page
  const encodings = [header, page].map(encodingOf)
  if (encodings[0] === encodings[1]) return header
  const guess = detectCharset(bytes)
  const detected = guess !== undefined && isKnown(guess) ? encodingOf(guess) : undefined
  if (detected === encodings[0]) return header
  // This charset in a header is the default of many servers.
  return detected === encodings[1] || encodings[0] === defaultCharset ? page : header
}

/** What the sniffer answers where the page declares nothing. TextDecoder does not know it. */
const undeclared = 'replacement'

/** UTF-16 without a mark has a zero in every other place, at least in its markup; elsewhere a zero is an accident. */
function wideCharset(bytes: Buffer): string | undefined {
  const zeros = { even: 0, odd: 0 }
  const end = Math.min(bytes.length, sniffedBytesMax)
  for (let index = 0; index < end; index += 1)
    if (bytes[index] === 0) zeros[index % 2 === 0 ? 'even' : 'odd'] += 1
  if (zeros.even + zeros.odd < end * zeroShareMin) return undefined
  if (zeros.odd > zeros.even * 4) return 'utf-16le'
  return zeros.even > zeros.odd * 4 ? 'utf-16be' : undefined
}

function decodeAs(bytes: Buffer, charset: string): DecodedText {
  return { text: new TextDecoder(charset).decode(bytes), charset }
}

/** The one name of a charset that has several labels. */
function encodingOf(label: string): string {
  return new TextDecoder(label).encoding
}

function isKnown(label: string): boolean {
  try {
    return encodingOf(label) !== ''
  } catch {
    return false
  }
}
