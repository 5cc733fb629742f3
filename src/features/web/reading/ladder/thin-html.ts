// Pictures that stand in the HTML itself, as base64, can be most of a page and are not returned. They leave it as it
// arrives, so that the text behind them is within the limit of a page.
import type { Bytes } from '#platform/egress/body.ts'

/** Before the pictures are taken out. */
export const sourceBytesMax = 25_000_000
const mark = ';base64,'
/** The beginning stays: pages about such addresses show some. */
const keptBytesMax = 2_000

/** The bytes without the rest of long base64 data. */
export async function* thinHtml(source: Bytes): Bytes {
  let rest: Buffer = Buffer.alloc(0)
  /** How much of the data has passed; undefined outside of data. */
  let passed: number | undefined
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const kept: Buffer[] = []
    while (rest.length > 0) {
      if (passed !== undefined) {
        const end = dataEnd(rest)
        kept.push(rest.subarray(0, Math.min(end, Math.max(0, keptBytesMax - passed))))
        passed = end === rest.length ? passed + end : undefined
        rest = rest.subarray(end)
        continue
      }
      const found = rest.indexOf(mark)
      // The mark may go on in the next chunk.
      const end = found === -1 ? Math.max(0, rest.length - mark.length + 1) : found + mark.length
      kept.push(rest.subarray(0, end))
      rest = rest.subarray(end)
      if (found === -1) break
      passed = 0
    }
    const bytes = Buffer.concat(kept)
    if (bytes.length > 0) yield bytes
  }
  if (rest.length > 0) yield rest
}

/** The place of the first byte that is not base64, or the length. */
function dataEnd(bytes: Buffer): number {
  let end = 0
  while (end < bytes.length && isBase64[bytes[end] as number] === 1) end += 1
  return end
}

const isBase64 = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='))
  isBase64[byte] = 1
