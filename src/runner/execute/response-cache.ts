// Caches answers that may be reused: public records that change slowly. They are kept in memory, up to a limit in
// bytes.
import type { Clock } from '#core/ports.ts'

export interface ResponseCache {
  /** The JSON text of a fresh answer for the same action and input. */
  find(actionId: string, input: unknown): string | undefined
  keep(actionId: string, input: unknown, answer: string, lifetimeSeconds: number): void
}

interface Kept {
  readonly answer: string
  readonly bytes: number
  readonly freshUntilMs: number
}

/** The largest share of the cache for one answer, so that a single answer cannot evict all others. */
const shareMax = 1 / 8
const bytesPerCharacter = 2

export function createResponseCache({
  clock,
  bytesMax,
}: {
  clock: Clock
  bytesMax: number
}): ResponseCache {
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  const kept = new Map<string, Kept>()
  let bytes = 0

  function drop(key: string) {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    find(actionId, input) {
      const key = keyOf(actionId, input)
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      if (found.freshUntilMs <= clock.now()) {
        bytes -= found.bytes
        return undefined
      }
      kept.set(key, found)
      return found.answer
    },
    keep(actionId, input, answer, lifetimeSeconds) {
      const key = keyOf(actionId, input)
      const size = (key.length + answer.length) * bytesPerCharacter
      drop(key)
      if (size > bytesMax * shareMax) return
      kept.set(key, { answer, bytes: size, freshUntilMs: clock.now() + lifetimeSeconds * 1_000 })
      bytes += size
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) break
        drop(oldest)
      }
    },
  }
}

/** Every input was read by its schema, which puts the fields into one order. */
function keyOf(actionId: string, input: unknown): string {
  return `${actionId} ${JSON.stringify(input)}`
}
