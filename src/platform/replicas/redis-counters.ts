// Counts in windows of time for all gateways together, in Redis. Each count is kept in this process too, where it goes
// on while Redis is away, so a gateway never lets through more than it would alone. A Redis that has forgotten its
// counts takes them from the gateways.
import type { CountedWindow, SharedCounters, WindowCount } from '#core/replicas/shared-state.ts'
import type { LocalCounters } from './local-counters.ts'
import { defineScript, type RedisLink } from './redis-link.ts'

const argumentsPerCount = 6

const take = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local used, ends, refusedBy, blocked = {}, {}, 0, false
for i, key in ipairs(KEYS) do
  local at = (i - 1) * ${argumentsPerCount}
  local points, most, lasts = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6])
  local kept = redis.call('HMGET', key, 'used', 'ends')
  used[i], ends[i] = tonumber(kept[1]) or 0, tonumber(kept[2]) or 0
  if ends[i] <= now then used[i], ends[i] = 0, now + (left > 0 and left or lasts) end
  if left > 0 and known > used[i] then used[i] = known end
  if used[i] + points > most then
    if refusedBy == 0 then refusedBy = i end
    if ARGV[at + 4] == '0' then blocked = true end
  end
end
local answer = {refusedBy}
for i, key in ipairs(KEYS) do
  if not blocked then
    used[i] = used[i] + tonumber(ARGV[(i - 1) * ${argumentsPerCount} + 1])
    redis.call('HSET', key, 'used', used[i], 'ends', ends[i])
    redis.call('PEXPIREAT', key, ends[i])
  end
  answer[#answer + 1] = used[i]
  answer[#answer + 1] = ends[i]
  answer[#answer + 1] = ends[i] - now
end
return answer`)

const adjust = defineScript(`
local kept = redis.call('HMGET', KEYS[1], 'used', 'ends')
if not kept[1] or (ARGV[2] ~= '0' and ARGV[2] ~= kept[2]) then return {0} end
redis.call('HSET', KEYS[1], 'used', math.max(0, kept[1] + ARGV[1]))
return {1}`)

export function createRedisCounters({
  redis,
  local,
}: {
  readonly redis: RedisLink
  readonly local: LocalCounters
}): SharedCounters {
  function argumentsOf({ name, points, most, windowMs, evenBeyond }: WindowCount): number[] {
    const { used = 0, leftMs = 0 } = local.find(name) ?? {}
    return [points, most, windowMs, evenBeyond ? 1 : 0, used, Math.max(0, Math.floor(leftMs))]
  }

  return {
    async take(counts) {
      const keys = counts.map(({ name }) => redis.keyOf(name))
      const answer = await redis.run(take, keys, counts.flatMap(argumentsOf))
      if (answer === undefined) return await local.take(counts)
      const windows = counts.map(({ name }, place) => {
        const [used = 0, ends = 0, leftMs = 0] = answer.slice(1 + 3 * place)
        const window: CountedWindow = { id: String(ends), used, leftMs }
        local.adopt(name, window)
        return window
      })
      const [refusedBy = 0] = answer
      return { refusedBy: refusedBy === 0 ? undefined : refusedBy - 1, windows }
    },
    async adjust(name, points, windowId) {
      void local.adjust(name, points, windowId)
      const ofRedis = windowId === undefined ? 0 : Number(windowId)
      if (Number.isNaN(ofRedis)) return
      await redis.run(adjust, [redis.keyOf(name)], [points, ofRedis])
    },
  }
}
