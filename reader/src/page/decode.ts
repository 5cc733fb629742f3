// Bytes to text. Valid UTF-8 is read as UTF-8, even where the page claims another encoding: no other encoding looks like it
// by accident, and UTF-8 pages with a wrong label or none are frequent.
import { getEncoding } from 'encoding-sniffer'

const sniffedBytesMax = 4_096
const zeroShareMin = 0.1
/** With it ISO-2022-JP goes from one alphabet to another: the one encoding that is valid UTF-8 without being it. */
const escapeByte = 0x1b

export interface DecodedText {
  readonly text: string
  readonly charset: string
}

export function decodeText(bytes: Buffer, contentType: string | undefined): DecodedText {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return decodeAs(bytes, marked)
  if (wideCharset(bytes) === undefined && !isSevenBits(bytes, contentType)) {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8' }
    } catch {
      // Some other encoding; the page or its header says which.
    }
  }
  return decodeAs(bytes, declaredCharset(bytes, contentType))
}

function isSevenBits(bytes: Buffer, contentType: string | undefined): boolean {
  return (
    bytes.includes(escapeByte) &&
    declaredCharset(bytes, contentType).toLowerCase() === 'iso-2022-jp'
  )
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function declaredCharset(bytes: Buffer, contentType: string | undefined): string {
  const header = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? '')?.[1]
  const wide = header === undefined || !isKnown(header) ? wideCharset(bytes) : undefined
  if (wide !== undefined) return wide
  return getEncoding(bytes.subarray(0, sniffedBytesMax), {
    maxBytes: sniffedBytesMax,
    ...(header === undefined ? {} : { transportLayerEncodingLabel: header }),
  })
}

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

function decodeAs(bytes: Buffer, label: string): DecodedText {
  const charset = isKnown(label) ? label.toLowerCase() : 'windows-1252'
  return { text: new TextDecoder(charset).decode(bytes), charset }
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}
