// Where the pictures and the sound of a file really lie. A header may claim anything, so the packets themselves are
// read.

/** The packets of one stream, in seconds of the file. */
export interface PacketSpan {
  readonly first: number
  readonly end: number
  readonly gapMax: number
  /** The last key pictures, the latest first: from each of them on, pictures can be decoded. */
  readonly keys: readonly number[]
}

const keysMax = 5

/** Of all streams: the file is read once. */
export const packetArguments = (closed: readonly string[], file: string) => [
  ...[...closed, '-show_packets', '-show_entries'],
  ...['packet=stream_index,pts_time,dts_time,duration_time,flags', '-of', 'compact=p=0', file],
]

/** Reads what ffprobe writes about packets, which may be far too much to keep. */
export function createPacketReader() {
  const readLines = createLineReader()
  const streams = new Map<string, StreamReader>()

  function take({ stream_index = '', ...packet }: Record<string, string>) {
    const stream = streams.get(stream_index) ?? createStreamReader()
    streams.set(stream_index, stream)
    stream.take(packet)
  }

  return {
    add: (chunk: Buffer) => readLines(chunk, (line) => take(fieldsOf(line))),
    /** By the number of the stream. Undefined: it has no packets, or there is no such stream. */
    span: (index: number | undefined): PacketSpan | undefined => streams.get(String(index))?.span(),
  }
}

type StreamReader = ReturnType<typeof createStreamReader>

function createStreamReader() {
  let first = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  let latest: number | undefined
  let gapMax = 0
  let keys: number[] = []
  return {
    take({ pts_time, dts_time, duration_time, flags = '' }: Record<string, string>) {
      const start = secondsOf(pts_time) ?? secondsOf(dts_time)
      // An edit list leaves out packets with a D.
      if (start === undefined || flags.includes('D')) return
      first = Math.min(first, start)
      end = Math.max(end, start + (secondsOf(duration_time) ?? 0))
      if (latest !== undefined) gapMax = Math.max(gapMax, start - latest)
      latest = Math.max(latest ?? start, start)
      if (flags.includes('K')) keys = [start, ...keys].slice(0, keysMax)
    },
    span: (): PacketSpan | undefined =>
      latest === undefined ? undefined : { first, end, gapMax, keys },
  }
}

/** Decodes the pictures from a key picture to the end. */
export const tailArguments = (closed: readonly string[], from: number, file: string) => [
  ...closed,
  ...['-select_streams', 'V:0', '-read_intervals', `${from.toFixed(6)}%`, '-show_frames'],
  ...['-show_entries', 'frame=best_effort_timestamp_time,pkt_duration_time'],
  ...['-of', 'compact=p=0', file],
]

export interface Tail {
  /** When the last picture comes, and when it ends. */
  readonly last: number
  readonly end: number
}

/** Reads what ffprobe writes about pictures that it has decoded. Undefined: there were none. */
export function createTailReader() {
  const readLines = createLineReader()
  let tail: Tail | undefined
  return {
    add: (chunk: Buffer) =>
      readLines(chunk, (line) => {
        const fields = fieldsOf(line)
        const last = secondsOf(fields.best_effort_timestamp_time)
        if (last === undefined || (tail !== undefined && last < tail.last)) return
        tail = { last, end: last + (secondsOf(fields.pkt_duration_time) ?? 0) }
      }),
    tail: () => tail,
  }
}

function createLineReader() {
  let rest = ''
  return (chunk: Buffer, take: (line: string) => void) => {
    const lines = `${rest}${chunk.toString()}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}

/** `pts_time=0.04|flags=K_` */
const fieldsOf = (line: string): Record<string, string> =>
  Object.fromEntries(line.split('|').map((field) => field.split('=', 2)))

/** Undefined for N/A. */
function secondsOf(text: string | undefined): number | undefined {
  const seconds = Number.parseFloat(text ?? '')
  return Number.isFinite(seconds) ? seconds : undefined
}
