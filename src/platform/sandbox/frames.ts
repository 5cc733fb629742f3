// Messages between the gateway and the agent of a box: a line of JSON and, if it has a `size`, so many bytes.
import type { Readable, Writable } from 'node:stream'
import { membersOf } from '#core/input/members.ts'

export interface Frame {
  readonly message: Readonly<Record<string, unknown>>
  readonly content: Buffer
}

const lineBytesMax = 64_000
const contentBytesMax = 16_000_000
const lineEnd = 0x0a

/** False when the reader should be waited for, as with any stream. */
export function writeFrame(target: Writable, message: object, content?: Uint8Array): boolean {
  if (!target.writable) return true
  const size = content?.byteLength ?? 0
  const taken = target.write(`${JSON.stringify(size > 0 ? { ...message, size } : message)}\n`)
  return size > 0 ? target.write(content) : taken
}

/** Throws an Error when the agent sends something else. */
export async function* readFrames(source: Readable): AsyncGenerator<Frame, void> {
  let buffered = Buffer.alloc(0)
  let header: { message: Frame['message']; size: number } | undefined
  for await (const chunk of source) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    while (true) {
      if (header === undefined) {
        const end = buffered.indexOf(lineEnd)
        if (end > lineBytesMax || (end < 0 && buffered.length > lineBytesMax))
          throw new Error('A message of a box is too long.')
        if (end < 0) break
        header = readHeader(buffered.subarray(0, end).toString())
        buffered = buffered.subarray(end + 1)
      }
      if (buffered.length < header.size) break
      const { message, size } = header
      header = undefined
      yield { message, content: buffered.subarray(0, size) }
      buffered = buffered.subarray(size)
    }
  }
}

function readHeader(line: string): { message: Frame['message']; size: number } {
  const message: unknown = JSON.parse(line)
  if (typeof message !== 'object' || message === null) throw new Error('A box sent no message.')
  const { size = 0 } = membersOf(message)
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > contentBytesMax)
    throw new Error('A message of a box has a wrong size.')
  return { message: message as Frame['message'], size }
}
