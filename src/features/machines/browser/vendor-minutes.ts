// Counts the paid minutes of browsers at the vendor, who sells no minutes.
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { PaidMinutes } from '#core/session.ts'
import type { BrowserSessionRows } from './session-rows.ts'

export const createVendorMinutes = (rows: BrowserSessionRows): PaidMinutes => ({
  async begin({ caller, maxCents, effect }, minutes) {
    const charged = centsToMicros(maxCents)
    const name = await rows.begin({ caller, minutes, charged, place: 'vendor' }, effect)
    return {
      name,
      async start(id) {
        const started = await rows.start(name, id)
        if (started === undefined) throw fail('session_closed')
        return started
      },
    }
  },
  extend: ({ maxCents, effect }, id, minutes) =>
    rows.extend(id, { minutes, charged: centsToMicros(maxCents) }, effect),
  find: rows.find,
  async release(id, reason) {
    await rows.end(id, reason)
    return await rows.find(id)
  },
})
