// Files of callers in a box of this machine.
import { fail } from '#core/errors.ts'
import { fileRefused } from '#core/file-transfer/carry.ts'
import type { SessionFiles } from '#core/session.ts'
import { BoxRefusal, type StandingBox } from '#platform/sandbox/standing-box.ts'

export function createBoxFiles(box: StandingBox): SessionFiles {
  function translate(path: string, thrown: unknown): unknown {
    if (thrown instanceof BoxRefusal) return fileRefused(path, thrown.message, thrown)
    return box.isAlive() ? thrown : fail('session_closed', { cause: thrown })
  }

  return {
    async write(path, content, signal) {
      try {
        await box.writeFile(path, content, signal)
      } catch (thrown) {
        throw translate(path, thrown)
      }
    },
    async *read(path, bytesMax, signal) {
      try {
        yield* box.readFile(path, bytesMax, signal)
      } catch (thrown) {
        throw translate(path, thrown)
      }
    },
  }
}
