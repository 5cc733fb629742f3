// Counts the paid minutes of browsers at the vendor, who sells no minutes, and has their sessions released when these
// are over.
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'
import type { PaidMinutes } from '#core/session.ts'
import { runEvery } from '#platform/recurring.ts'
import { vendorLookIntervalMs } from './limits.ts'
import type { BrowserSessionRows } from './session-rows.ts'

export interface VendorMinutes extends PaidMinutes {
  /** Releases sessions at the vendor from now on. */
  watch(releaseAtVendor: (id: string) => Promise<void>): void
  /** One round: releases what is over. */
  keepUp(): Promise<void>
  close(): Promise<void>
}

export function createVendorMinutes({
  rows,
  log,
}: {
  readonly rows: BrowserSessionRows
  readonly log: Log
}): VendorMinutes {
  let release: ((id: string) => Promise<void>) | undefined
  let looking: ReturnType<typeof runEvery> | undefined

  async function keepUp() {
    if (release === undefined) return
    for (const { id, isOver } of await rows.vendorDue()) {
      try {
        await release(id)
        await rows.end(id, isOver ? 'lifetime' : 'key_ended')
      } catch (error) {
        log.warn({ err: error, sessionId: id }, 'A browser of the vendor will be released again.')
      }
    }
  }

  return {
    async begin({ caller, maxCents, effect }, minutes) {
      const charged = centsToMicros(maxCents)
      const name = await rows.announce({ caller, minutes, charged }, effect)
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
    watch(releaseAtVendor) {
      if (release !== undefined) throw new Error('The vendor is watched already.')
      release = releaseAtVendor
      looking = runEvery(vendorLookIntervalMs, keepUp, (error) =>
        log.warn({ err: error }, 'Browsers of the vendor were not looked at.'),
      )
    },
    keepUp,
    async close() {
      await looking?.close()
    },
  }
}
