// Counts what a push sends before its pack: a line for each branch or tag that it changes, then a flush packet. Git
// itself has no limit for these lines, and each new branch is a file. Source: gitprotocol-pack, "Reference Update
// Request".

const flush = '0000'

/** Answers for each chunk of a push whether its commands are still packets and within the limit. */
export function createCommandLimit(bytesMax: number): (chunk: Buffer) => boolean {
  let commandBytes = 0
  /** What remains of the current packet. */
  let left = 0
  /** The digits of the next packet's length, as far as they have arrived. */
  let length = ''
  let isPack = false

  return (chunk) => {
    for (let at = 0; at < chunk.length && !isPack; ) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
        continue
      }
      length += String.fromCharCode(chunk[at++] ?? 0)
      if (length.length < flush.length) continue
      if (!/^[0-9a-f]{4}$/i.test(length)) return false
      isPack = length === flush
      const bytes = Number.parseInt(length, 16)
      commandBytes += bytes
      if (commandBytes > bytesMax) return false
      left = Math.max(0, bytes - flush.length)
      length = ''
    }
    return true
  }
}
