// How much a server may send before a message of it ends. Its tools are sold to everybody, and the gateway holds one
// message of each of them in memory.
import { fail } from '#core/errors.ts'
import { parseJson, withoutMark } from '#platform/http/reply-json.ts'

/** Parsing a message holds up all other callers, so the largest one takes a fraction of a second. */
export const messageBytesMax = 2_000_000

const lineFeed = 10
const carriageReturn = 13

/** A program that writes more without the end of a line is ended. */
export const lineBytesMax = 50_000_000
/** Of the start and the end of a line that is too long. */
const edgeBytes = 300

export const tooLarge = () =>
  fail('upstream_error', {
    message: `The answer is too large: a message of an MCP server has at most ${messageBytesMax / 1e6} MB. Ask the tool for less. Nothing was charged.`,
  })

/** A line that is not parsed: its first and last bytes. */
export interface LongLine {
  readonly start: string
  readonly end: string
}

/**
 * Takes chunks, and tells each line without its end. Copies each byte once, however small the chunks are. Of a line
 * that is too long it keeps the edges, so that the lines after it are read. Throws for one that does not end.
 */
export function createLineReader(tell: {
  line(line: string): void
  longLine(line: LongLine): void
}): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let start: Buffer | undefined

  function keep(part: Buffer): void {
    bytes += part.length
    if (part.length > 0) parts.push(part)
    if (bytes <= messageBytesMax) return
    if (bytes > lineBytesMax) throw tooLarge()
    start ??= Buffer.from(Buffer.concat(parts).subarray(0, edgeBytes))
    const last = part.length < edgeBytes ? Buffer.concat(parts) : part
    parts = [last.subarray(-edgeBytes)]
  }

  function end(): void {
    const line = Buffer.concat(parts).toString('utf8')
    const first = start?.toString('utf8')
    parts = []
    bytes = 0
    start = undefined
    if (first === undefined) tell.line(line)
    else tell.longLine({ start: first, end: line })
  }

  return (chunk) => {
    let rest = chunk
    for (let at = rest.indexOf(lineFeed); at >= 0; at = rest.indexOf(lineFeed)) {
      keep(rest.subarray(0, at))
      rest = rest.subarray(at + 1)
      end()
    }
    keep(rest)
  }
}

const idField = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)'
const versionField = '"jsonrpc"\\s*:\\s*"2\\.0"'
const idAtStart = new RegExp(`^\\s*\\{\\s*(?:${versionField}\\s*,\\s*)?${idField}\\s*,`)
const idAtEnd = new RegExp(`${idField}\\s*(?:,\\s*${versionField}\\s*)?\\}\\s*$`)

export const edgesOf = (line: string): LongLine => ({
  start: line.slice(0, edgeBytes),
  end: line.slice(-edgeBytes),
})

/** Of the request that the line answers: libraries write it first or last. Undefined where it is neither. */
export function idOfLongLine({ start, end }: LongLine): unknown {
  const [, id] = idAtStart.exec(start) ?? idAtEnd.exec(end) ?? []
  return id === undefined ? undefined : parseMessage(id)
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

/**
 * Takes chunks of a stream of events, which may have no end, and gives the events that are whole. Each ends with an
 * empty line. Throws for an event that is too large.
 */
export function createEventReader(): (chunk: Uint8Array) => readonly Buffer[] {
  let parts: Uint8Array[] = []
  let bytes = 0
  let isLineEmpty = true
  let before: number | undefined
  return (chunk) => {
    const events: Buffer[] = []
    let begin = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      const isSecondOfEnd = byte === lineFeed && before === carriageReturn
      before = byte
      bytes += 1
      if (bytes > messageBytesMax) throw tooLarge()
      if (isSecondOfEnd) continue
      const isEnd = byte === lineFeed || byte === carriageReturn
      if (isEnd && isLineEmpty) {
        events.push(Buffer.concat([...parts, chunk.subarray(begin, at + 1)]))
        parts = []
        bytes = 0
        begin = at + 1
      }
      isLineEmpty = isEnd
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin))
    return events
  }
}

/** Undefined for what is not JSON. */
export function parseMessage(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The message of an event, as `data:` says it. Undefined for an event without one. A stream may begin with a mark. */
export function messageOf(event: Buffer): string | undefined {
  const lines = withoutMark(event.toString('utf8')).split(/\r\n|\r|\n/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5))
  return data.length === 0 ? undefined : data.join('\n')
}
