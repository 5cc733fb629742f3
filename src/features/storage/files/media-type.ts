// What kind of file some bytes are. The patterns are those of the WHATWG standard "MIME Sniffing", sections 6 and 7,
// and of the formats that browsers show besides.

/** Bytes at an offset; null matches any byte. */
interface Pattern {
  readonly type: string
  readonly bytes: readonly (number | null)[]
  readonly offset?: number
}

const ascii = (text: string) =>
  [...text].map((character) => (character === '?' ? null : character.charCodeAt(0)))

const patterns: readonly Pattern[] = [
  { type: 'image/png', bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: ascii('GIF87a') },
  { type: 'image/gif', bytes: ascii('GIF89a') },
  { type: 'image/webp', bytes: ascii('RIFF????WEBPVP') },
  { type: 'image/avif', bytes: ascii('ftypavif'), offset: 4 },
  { type: 'image/avif', bytes: ascii('ftypavis'), offset: 4 },
  { type: 'image/heic', bytes: ascii('ftypheic'), offset: 4 },
  { type: 'image/heic', bytes: ascii('ftypheix'), offset: 4 },
  { type: 'image/heif', bytes: ascii('ftypmif1'), offset: 4 },
  { type: 'image/bmp', bytes: ascii('BM????\0\0\0\0') },
  { type: 'image/tiff', bytes: [...ascii('II*'), 0] },
  { type: 'image/tiff', bytes: [...ascii('MM'), 0, 0x2a] },
  { type: 'image/x-icon', bytes: [0, 0, 1, 0] },
  { type: 'video/quicktime', bytes: ascii('ftypqt  '), offset: 4 },
  { type: 'audio/mp4', bytes: ascii('ftypM4A'), offset: 4 },
  { type: 'audio/mp4', bytes: ascii('ftypM4B'), offset: 4 },
  { type: 'video/mp4', bytes: ascii('ftyp'), offset: 4 },
  { type: 'video/x-msvideo', bytes: ascii('RIFF????AVI ') },
  { type: 'audio/wav', bytes: ascii('RIFF????WAVE') },
  { type: 'audio/aiff', bytes: ascii('FORM????AIFF') },
  { type: 'audio/flac', bytes: ascii('fLaC') },
  { type: 'audio/midi', bytes: [...ascii('MThd'), 0, 0, 0, 6] },
  { type: 'audio/ogg', bytes: [...ascii('OggS'), 0] },
  { type: 'audio/mpeg', bytes: ascii('ID3') },
  { type: 'audio/aac', bytes: [0xff, 0xf1] },
  { type: 'audio/aac', bytes: [0xff, 0xf9] },
  { type: 'audio/mpeg', bytes: [0xff, 0xfb] },
  { type: 'audio/mpeg', bytes: [0xff, 0xf3] },
  { type: 'audio/mpeg', bytes: [0xff, 0xf2] },
  { type: 'application/pdf', bytes: ascii('%PDF-') },
  { type: 'application/zip', bytes: [...ascii('PK'), 3, 4] },
  { type: 'application/gzip', bytes: [0x1f, 0x8b, 0x08] },
  { type: 'application/x-rar-compressed', bytes: [...ascii('Rar!'), 0x1a, 0x07] },
  { type: 'application/x-7z-compressed', bytes: [...ascii('7z'), 0xbc, 0xaf, 0x27, 0x1c] },
]

const unknownType = 'application/octet-stream'
/** Formats that are archives inside. Their own name says more than `application/zip`. */
const zipBased = /^application\/(epub\+zip|vnd\.[\w.+-]+|java-archive)$/
/**
 * Types that a browser shows, or that other software trusts to be what they say: only the bytes themselves show them.
 */
const shownByBytes = /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip)$/
const typeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,99}$/

/** The type that the first bytes show, or else the declared one where they do not contradict it. */
export function mediaTypeOf(head: Uint8Array, declared: string): string {
  const named = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  const claim = typeForm.test(named) ? named : unknownType
  const found = sniff(head)
  if (found === 'application/zip' && zipBased.test(claim)) return claim
  if (found !== undefined) return found
  if (!shownByBytes.test(claim)) return claim
  // SVG is text, and so has no pattern.
  return claim === 'image/svg+xml' ? claim : unknownType
}

function sniff(head: Uint8Array): string | undefined {
  if (isMatroska(head)) return textOf(head).includes('webm') ? 'video/webm' : 'video/x-matroska'
  const found = patterns.find(({ bytes, offset = 0 }) =>
    bytes.every((byte, at) => byte === null || head[offset + at] === byte),
  )
  return found?.type === 'audio/ogg' && textOf(head).includes('theora') ? 'video/ogg' : found?.type
}

const isMatroska = (head: Uint8Array) =>
  [0x1a, 0x45, 0xdf, 0xa3].every((byte, at) => head[at] === byte)

/** The names of the formats inside a container are among its first bytes. */
const textOf = (head: Uint8Array) => Buffer.from(head.subarray(0, 128)).toString('latin1')
