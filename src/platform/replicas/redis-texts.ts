// Texts in Redis: states that several gateways change, and cached answers. Answers are sealed, because Redis shows what
// it holds to everyone who can reach it.
import type { SharedCache, SharedRecords } from '#core/replicas/shared-state.ts'
import { openSealedText, sealText } from '../sealed-text.ts'
import { defineScript, type RedisLink } from './redis-link.ts'

/** A larger answer would keep Redis, and all that wait for it, for too long. */
const cachedCharactersMax = 500_000

const swap = defineScript(`
local current = redis.call('GET', KEYS[1])
if (current or '') ~= ARGV[1] then return {0} end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return {1}`)

/** The texts must not be empty. */
export function createRedisRecords({ redis }: { readonly redis: RedisLink }): SharedRecords {
  return {
    async read(name) {
      const answer = await redis.send(['GET', redis.keyOf(`record ${name}`)])
      return answer && { text: answer.bytes?.toString('utf8') }
    },
    async swap(name, { from = '', to = '', lifetimeMs }) {
      const key = redis.keyOf(`record ${name}`)
      const answer = await redis.run(swap, [key], [from, to, lifetimeMs])
      return answer && answer[0] === 1
    },
  }
}

export function createRedisCache(dependencies: {
  readonly redis: RedisLink
  /** Seals the texts. */
  readonly secret: string
}): SharedCache {
  const { redis, secret } = dependencies
  return {
    async get(name) {
      const answer = await redis.send(['GET', redis.keyOf(`cache ${name}`)])
      return answer?.bytes ? openSealedText(answer.bytes, secret) : undefined
    },
    set(name, text, lifetimeMs) {
      if (text.length > cachedCharactersMax) return
      const key = redis.keyOf(`cache ${name}`)
      void redis.send(['SET', key, sealText(text, secret), 'PX', String(lifetimeMs)])
    },
  }
}
