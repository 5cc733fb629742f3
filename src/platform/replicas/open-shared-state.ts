// Opens what gateways know together: in Redis or Valkey if the operator names one, otherwise in this process.
import type { Clock, Log } from '#core/ports.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import { createLocalCounters } from './local-counters.ts'

export async function openSharedState(options: {
  /** Undefined: this gateway knows only its own part. */
  readonly url: string | undefined
  /** A secret that the gateways of one database share, and no others. */
  readonly secret: () => Promise<string>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}): Promise<SharedState & { close(): Promise<void> }> {
  const { url, log, clock } = options
  const local = createLocalCounters({ clock })
  if (url === undefined) return { counters: local, close: async () => {} }
  // The client library is loaded only where an operator uses it.
  const { openRedisState } = await import('./redis-state.ts')
  return await openRedisState({ url, secret: await options.secret(), local, log })
}
