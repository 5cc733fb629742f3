// Turns of requests to vendors, for all gateways together, in Redis: a sorted set of the times of the last turns, which
// includes turns in the future.
import type { SharedTurns } from '#core/replicas/shared-state.ts'
import { defineScript, type RedisLink } from './redis-link.ts'

const reserve = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local key, id, waitMax, queueMax = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local latest = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
-- Only a clock that was set back can show a turn this far ahead.
if latest and tonumber(latest) > now + waitMax then
  redis.call('DEL', key)
  latest = nil
end
local at, longest = math.max(now, tonumber(latest) or now), 0
for i = 4, #ARGV, 2 do
  local requests, lasts = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  longest = math.max(longest, lasts)
  local turn = redis.call('ZREVRANGE', key, requests - 1, requests - 1, 'WITHSCORES')[2]
  if turn then at = math.max(at, turn + lasts) end
end
local wait = at - now
if wait > waitMax or (wait > 0 and redis.call('ZCOUNT', key, now + 1, '+inf') >= queueMax) then return {1, wait} end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - longest - 1)
redis.call('ZADD', key, at, id)
redis.call('PEXPIRE', key, wait + longest + 1000)
return {0, wait}`)

const giveBack = defineScript(`return {redis.call('ZREM', KEYS[1], ARGV[1])}`)

/** Ids of turns are whole numbers of this size, by chance. */
const idsMax = 2 ** 52

export function createRedisTurns({ redis }: { readonly redis: RedisLink }): SharedTurns {
  return {
    async reserve({ name, windows, waitMsMax, queueMax }) {
      const key = redis.keyOf(`turns ${name}`)
      const id = Math.floor(Math.random() * idsMax)
      const periods = windows.flatMap(({ requests, windowMs }) => [requests, windowMs])
      const answer = await redis.run(reserve, [key], [id, waitMsMax, queueMax, ...periods])
      if (answer === undefined) return undefined
      const [refused = 0, waitMs = 0] = answer
      if (refused === 1) return { refusedForMs: waitMs }
      return {
        waitMs,
        async giveBack() {
          await redis.run(giveBack, [key], [id])
        },
      }
    },
  }
}
