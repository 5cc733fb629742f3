// Files of callers in a box of this machine.
import { fail } from '#core/errors.ts'
import { fileRefused } from '#core/file-transfer/carry.ts'
import type { SessionFiles } from '#core/session.ts'
import { BoxRefusal, type StandingBox } from '#platform/sandbox/standing-box.ts'

/** The box holds one part of a file in memory at a time. */
const partBytesMax = 1_000_000

export function createBoxFiles(box: StandingBox): SessionFiles {
  async function attempt<Result>(
    path: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (thrown) {
      if (thrown instanceof BoxRefusal) throw fileRefused(path, thrown.message, thrown)
      if (!box.isAlive()) throw fail('session_closed', { cause: thrown })
      throw thrown
    }
  }

  return {
    async write(path, content, signal) {
      const put = (bytes: Uint8Array, offset: number) =>
        attempt(path, signal, () => box.writeFile(path, bytes, offset))
      let offset = 0
      await put(new Uint8Array(), offset)
      for await (const bytes of content)
        for (let start = 0; start < bytes.length; start += partBytesMax) {
          const part = bytes.subarray(start, start + partBytesMax)
          await put(part, offset)
          offset += part.length
        }
    },
    async *read(path, bytesMax, signal) {
      for (let offset = 0; ; offset += partBytesMax) {
        const part = { offset, length: partBytesMax }
        const bytes = await attempt(path, signal, () => box.readFile(path, bytesMax, part))
        yield bytes
        if (bytes.length < partBytesMax) return
      }
    },
  }
}
