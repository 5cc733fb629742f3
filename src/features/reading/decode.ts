// Bytes to text. Valid UTF-8 is UTF-8, whatever the page claims: nothing else looks like it by accident, and pages
// that are UTF-8 and say otherwise, or nothing, are far more frequent than the contrary.
import { getEncoding } from 'encoding-sniffer'

const sniffedBytesMax = 4_096
/** With it ISO-2022-JP goes from one alphabet to another: the one encoding that is valid UTF-8 without being it. */
const escapeByte = 0x1b

export interface DecodedText {
  readonly text: string
  readonly charset: string
}

export function decodeText(bytes: Buffer, contentType: string | undefined): DecodedText {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return decodeAs(bytes, marked)
  // A zero byte is valid UTF-8 and means that it is not: UTF-16 without a mark has one in every other place.
  const hasZero = bytes.subarray(0, sniffedBytesMax).includes(0)
  if (!hasZero && !isSevenBits(bytes, contentType)) {
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
  if (header === undefined || !isKnown(header)) {
    const zeros = countZeros(bytes)
    if (zeros.odd > zeros.even * 4) return 'utf-16le'
    if (zeros.even > zeros.odd * 4) return 'utf-16be'
  }
  return getEncoding(bytes.subarray(0, sniffedBytesMax), {
    maxBytes: sniffedBytesMax,
    ...(header === undefined ? {} : { transportLayerEncodingLabel: header }),
  })
}

function countZeros(bytes: Buffer): { even: number; odd: number } {
  const counts = { even: 0, odd: 0 }
  const end = Math.min(bytes.length, sniffedBytesMax)
  for (let index = 0; index < end; index += 1)
    if (bytes[index] === 0) counts[index % 2 === 0 ? 'even' : 'odd'] += 1
  return counts
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
