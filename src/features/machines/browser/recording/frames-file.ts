// Pictures with their times, one after another in a file. A gateway that dies leaves at most one that is cut off, the
// last.
import { open } from 'node:fs/promises'

export interface TimedFrame {
  readonly atMs: number
  /** Empty: the recording went on until then without a new picture. */
  readonly jpeg: Buffer
}

export interface FramesFile {
  /** Resolves to the bytes that it has now. */
  add(frame: TimedFrame): Promise<number>
  close(): Promise<void>
}

/** The time in ms as a double, and the length of the picture. */
const headBytes = 12
/** Chromium sends pictures of 1280 × 800 pixels. */
const jpegBytesMax = 20_000_000

export async function createFramesFile(place: string): Promise<FramesFile> {
  const file = await open(place, 'wx', 0o600)
  let bytes = 0
  return {
    async add({ atMs, jpeg }) {
      const head = Buffer.alloc(headBytes)
      head.writeDoubleBE(atMs, 0)
      head.writeUInt32BE(jpeg.length, 8)
      await file.appendFile(Buffer.concat([head, jpeg]))
      bytes += headBytes + jpeg.length
      return bytes
    },
    close: () => file.close(),
  }
}

/** The whole pictures of a file. */
export async function* readFrames(place: string): AsyncGenerator<TimedFrame, void> {
  const file = await open(place, 'r')
  try {
    const read = async (length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length)
      return bytesRead === length ? buffer : undefined
    }
    for (;;) {
      const head = await read(headBytes)
      const length = head?.readUInt32BE(8) ?? jpegBytesMax
      if (head === undefined || length >= jpegBytesMax) return
      const jpeg = await read(length)
      if (jpeg === undefined) return
      yield { atMs: head.readDoubleBE(0), jpeg }
    }
  } finally {
    await file.close()
  }
}
