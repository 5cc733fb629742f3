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
const alphabets = { usual: /^[A-Za-z0-9+/]+$/, any: /^[A-Za-z0-9+/_-]+$/ } as const
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
export const isBase64 = (text: string): boolean => endOfData(text) > 0 && mayBeBase64(text)

/** The pattern of `mayBeBase64`, for schemas to publish. */
export const base64Pattern = '^[A-Za-z0-9+/]*={0,2}$'

/** Whether a text has no character but those of base64, or of base64 in either alphabet. */
export function mayBeBase64(text: string, alphabet: keyof typeof alphabets = 'usual'): boolean {
  const end = endOfData(text)
  for (let start = 0; start < end; start += pieceCharacters)
    if (!alphabets[alphabet].test(text.slice(start, Math.min(start + pieceCharacters, end))))
      return false
  return true
}

const endOfData = (text: string) => text.length - (padding.exec(text.slice(-2))?.[0].length ?? 0)
