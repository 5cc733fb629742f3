// Server-sent events, read from chunks of any size. Text is kept as one character per byte (latin1), which is exact for
// every encoding and cheap to write again.

/** Longer events are refused. */
const eventBytesMax = 4_000_000

export interface EventSplitter {
  /** Calls back for each complete event. Throws RangeError when an event is too long. */
  feed(chunk: Buffer): void
  /** Reads a last event that lacks its blank line. */
  end(): void
}

/** `onEvent` gets the data of an event with its lines joined. Comments and events without data are skipped. */
export function createEventSplitter(
  onEvent: (data: string) => void,
  bytesMax = eventBytesMax,
): EventSplitter {
  let carry = ''
  let data: string | undefined
  let first = true
  /** The last byte was a carriage return, so a line feed that follows belongs to it. */
  let returned = false

  function line(text: string) {
    if (text === '') {
      const complete = data
      data = undefined
      if (complete !== undefined) onEvent(complete)
    } else if (text.startsWith('data:')) {
      const value = text.charCodeAt(5) === 32 ? text.slice(6) : text.slice(5)
      data = data === undefined ? value : `${data}\n${value}`
      if (data.length > bytesMax) throw new RangeError('An event is too long.')
    }
  }

  /** A line may end with CR, LF or both. */
  function withLineFeeds(text: string): string {
    const rest = returned && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') returned = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  return {
    feed(chunk) {
      const arrived = withLineFeeds(chunk.toString('latin1'))
      // A long line is not searched again with each of its pieces.
      if (!first && !arrived.includes('\n') && carry.length + arrived.length <= bytesMax) {
        carry += arrived
        return
      }
      let text = carry + arrived
      if (first && text.length >= 3) {
        first = false
        if (text.startsWith('\xef\xbb\xbf')) text = text.slice(3)
      }
      let start = 0
      for (;;) {
        const end = text.indexOf('\n', start)
        if (end === -1) break
        line(text.slice(start, end))
        start = end + 1
      }
      carry = text.slice(start)
      if (carry.length > bytesMax) throw new RangeError('An event is too long.')
    },
    end() {
      line(carry)
      carry = ''
      line('')
    },
  }
}

/** One event with this value as its data (latin1). */
export function writeEvent(value: unknown): string {
  return `data: ${toLatin1(JSON.stringify(value))}\n\n`
}

export function toLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromLatin1(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
