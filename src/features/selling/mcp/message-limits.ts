// How much a server may send before a message of it ends. Its tools are sold to everybody, and the gateway holds one
// message of each of them in memory.
import { fail } from '#core/errors.ts'

export const messageBytesMax = 16_000_000

const lineFeed = 10
const carriageReturn = 13

const tooLarge = () =>
  fail('upstream_error', {
    message: 'The answer is too large. Ask the tool for less.',
    cause: new Error(`An MCP server has sent a message of more than ${messageBytesMax} bytes.`),
  })

/**
 * Takes chunks, and tells each line without its end. Copies each byte once, however small the chunks are. Throws for a
 * line that is too long.
 */
export function createLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0

  function keep(part: Buffer): void {
    bytes += part.length
    if (bytes > messageBytesMax) throw tooLarge()
    if (part.length > 0) parts.push(part)
  }

  return (chunk) => {
    let rest = chunk
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      keep(rest.subarray(0, end))
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      rest = rest.subarray(end + 1)
      onLine(line)
    }
    keep(rest)
  }
}

/** A part of an answer's body, checked. Throws for what is too large. */
type CountBytes = (chunk: Uint8Array) => void

/** Of an answer that is one message. */
export function countMessage(): CountBytes {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > messageBytesMax) throw tooLarge()
  }
}

/** Of a stream of events, which may have no end: each event ends with an empty line. */
export function countEvents(): CountBytes {
  let bytes = 0
  let isLineEmpty = true
  return (chunk) => {
    for (const byte of chunk) {
      const isEnd = byte === lineFeed || byte === carriageReturn
      bytes = isEnd && isLineEmpty ? 0 : bytes + 1
      isLineEmpty = isEnd
      if (bytes > messageBytesMax) throw tooLarge()
    }
  }
}
