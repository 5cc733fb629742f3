// How long clients may keep what is the same for every caller. It changes only when the gateway is restarted.
import type { CacheHint } from '@modelcontextprotocol/server'

export const publicHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const satisfies CacheHint
