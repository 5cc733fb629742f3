// Caches answers that may be reused: public records that change slowly. They are kept in memory, up to a limit in
// bytes, and for all gateways if these share a cache.
import type { Clock } from '#core/ports.ts'
import type { SharedCache } from '#core/replicas/shared-state.ts'

export interface ResponseCache {
  /** The JSON text of a fresh answer for the same action and input. */
  find(actionId: string, input: unknown): Promise<string | undefined>
  keep(actionId: string, input: unknown, answer: string, lifetimeSeconds: number): void
}

interface Fresh {
  readonly answer: string
  readonly freshUntilMs: number
}

interface Kept extends Fresh {
  readonly bytes: number
}

/** The largest share of the cache for one answer, so that a single answer cannot evict all others. */
const shareMax = 1 / 8
const bytesPerCharacter = 2

export function createResponseCache({
  clock,
  bytesMax,
  shared,
}: {
  clock: Clock
  /** 0: nothing is cached. */
  bytesMax: number
  shared?: SharedCache | undefined
}): ResponseCache {
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  const kept = new Map<string, Kept>()
  let bytes = 0

  function drop(key: string) {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function findOwn(key: string): Kept | undefined {
    const found = kept.get(key)
    if (found === undefined) return undefined
    kept.delete(key)
    if (found.freshUntilMs <= clock.now()) {
      bytes -= found.bytes
      return undefined
    }
    kept.set(key, found)
    return found
  }

  async function findShared(key: string): Promise<Fresh | undefined> {
    const text = bytesMax === 0 ? undefined : await shared?.get(`reply ${key}`)
    if (text === undefined) return undefined
    const fresh: Fresh = JSON.parse(text)
    if (fresh.freshUntilMs <= clock.now()) return undefined
    keepOwn(key, fresh)
    return fresh
  }

  function keepOwn(key: string, { answer, freshUntilMs }: Fresh) {
    const size = (key.length + answer.length) * bytesPerCharacter
    drop(key)
    if (size > bytesMax * shareMax) return
    kept.set(key, { answer, bytes: size, freshUntilMs })
    bytes += size
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax) break
      drop(oldest)
    }
  }

  return {
    async find(actionId, input) {
      const key = keyOf(actionId, input)
      return (findOwn(key) ?? (await findShared(key)))?.answer
    },
    keep(actionId, input, answer, lifetimeSeconds) {
      const key = keyOf(actionId, input)
      const lifetimeMs = lifetimeSeconds * 1_000
      const fresh = { answer, freshUntilMs: clock.now() + lifetimeMs }
      keepOwn(key, fresh)
      if (bytesMax > 0) shared?.set(`reply ${key}`, JSON.stringify(fresh), lifetimeMs)
    },
  }
}

/** Every input was read by its schema, which puts the fields into one order. */
function keyOf(actionId: string, input: unknown): string {
  return `${actionId} ${JSON.stringify(input)}`
}
