// Addresses that hold their data, in base64. They are read piece by piece: a regular expression over a whole file keeps
// a place for each character, and fails at some megabytes, once V8 has compiled it.

export interface DataAddress {
  /** As written, without parameters. */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

const head = /^data:([\w.+/-]+);base64,/
const headCharactersMax = 200
const pieceCharacters = 65_536
const alphabet = /^[A-Za-z0-9+/]+$/
const padding = /={0,2}$/

/** Undefined for any other text. The data is not looked at. */
export function splitDataAddress(text: string): DataAddress | undefined {
  const found = head.exec(text.slice(0, headCharactersMax))
  if (found === null) return undefined
  const [whole, mediaType = ''] = found
  return { mediaType, data: text.slice(whole.length) }
}

/** Undefined for any other text, and where the data is empty or not base64. */
export function readDataAddress(text: string): DataAddress | undefined {
  const address = splitDataAddress(text)
  return address !== undefined && isBase64(address.data) ? address : undefined
}

/** Whether a text has the alphabet of base64, and at least one character of it. */
export function isBase64(text: string): boolean {
  const padded = padding.exec(text.slice(-2))?.[0].length ?? 0
  const end = text.length - padded
  for (let start = 0; start < end; start += pieceCharacters)
    if (!alphabet.test(text.slice(start, Math.min(start + pieceCharacters, end)))) return false
  return end > 0
}
