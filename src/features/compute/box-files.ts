// Files of callers in a box of this machine.
import { fail } from '#core/errors.ts'
import { fileRefused } from '#core/file-transfer/carry.ts'
import type { SessionFiles } from '#core/session.ts'
import { BoxRefusal, type StandingBox } from '#platform/sandbox/standing-box.ts'

/** The box holds one part of a file in memory at a time. */
const partBytesMax = 1_000_000

export function createBoxFiles(box: StandingBox): SessionFiles {
  async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (thrown) {
      if (thrown instanceof BoxRefusal) throw fileRefused(path, thrown.message, thrown)
      if (!box.isAlive()) throw fail('session_closed', { cause: thrown })
      throw thrown
    }
  }

  return {
    write: (path, content, signal) => attempt(path, () => box.writeFile(path, content, signal)),
    async *read(path, bytesMax, signal) {
      for (let offset = 0; ; offset += partBytesMax) {
        signal.throwIfAborted()
        const part = { offset, length: partBytesMax }
        const bytes = await attempt(path, () => box.readFile(path, bytesMax, part))
        yield bytes
        if (bytes.length < partBytesMax) return
      }
    },
  }
}
