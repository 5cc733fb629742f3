// What gateways know together, in Redis or Valkey.
import type { Log } from '#core/ports.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import type { LocalCounters } from './local-counters.ts'
import { createRedisCounters } from './redis-counters.ts'
import { openRedisLink } from './redis-link.ts'
import { createRedisCache, createRedisRecords } from './redis-texts.ts'
import { createRedisTurns } from './redis-turns.ts'

export async function openRedisState({
  url,
  secret,
  local,
  log,
}: {
  readonly url: string
  readonly secret: string
  /** Counts go on here while Redis is away. */
  readonly local: LocalCounters
  readonly log: Log
}): Promise<SharedState & { close(): Promise<void> }> {
  const redis = await openRedisLink({ url, secret, log })
  return {
    counters: createRedisCounters({ redis, local }),
    turns: createRedisTurns({ redis }),
    records: createRedisRecords({ redis }),
    cache: createRedisCache({ redis, secret }),
    close: redis.close,
  }
}
