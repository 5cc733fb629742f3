/** One request of several that carry a content. */
export interface ContentPart {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** Cuts a content into parts of `bytesMax` bytes. The last one is shorter, and empty if the content is. */
export async function* inParts(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<ContentPart, void> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const bytes of content)
    for (let start = 0; start < bytes.length; ) {
      if (size === bytesMax) {
        yield { bytes: Buffer.concat(waiting), isLast: false }
        waiting = []
        size = 0
      }
      const piece = bytes.subarray(start, start + bytesMax - size)
      waiting.push(piece)
      size += piece.length
      start += piece.length
    }
  yield { bytes: Buffer.concat(waiting), isLast: true }
}
