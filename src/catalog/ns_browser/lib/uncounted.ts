import type { Clock } from '#core/ports.ts'
import type { PaidMinutes, PaidSession } from '#core/session.ts'

const minuteMs = 60_000

/**
 * Knows the minutes of the call at hand only. For a catalog without a gateway, as the documentation and its examples
 * need it.
 */
export const uncounted: PaidMinutes = {
  begin: async ({ clock }, minutes) => ({
    name: `tollway-${crypto.randomUUID()}`,
    start: async (id) => paidNow(id, minutes, clock),
  }),
  extend: async ({ clock }, id, minutes) => paidNow(id, minutes, clock),
  find: async () => undefined,
  release: async () => undefined,
}

function paidNow(id: string, minutes: number, clock: Clock): PaidSession {
  const remainingMs = minutes * minuteMs
  const expiresAt = new Date(clock.now() + remainingMs).toISOString()
  return { id, status: 'active', paidMinutes: minutes, remainingMs, expiresAt }
}
