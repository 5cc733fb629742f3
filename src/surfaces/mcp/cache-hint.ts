// How long clients may keep what is the same for every caller.
import type { CacheHint } from '@modelcontextprotocol/server'

/** It changes only when the gateway is restarted. */
export const publicHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const satisfies CacheHint

/** It shows prices, which the operator may change at any time. */
export const pricedHint = { ttlMs: 60_000, cacheScope: 'public' } as const satisfies CacheHint
