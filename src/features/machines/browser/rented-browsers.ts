// Browsers of this machine that callers have paid for. Each session has a Chromium of its own. The session outlives it:
// after a crash, or a restart of the gateway, the next connection starts a fresh Chromium for the minutes that are
// left.
import type { Socket } from 'node:net'
import type { Caller } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { CloseReason } from '#core/session.ts'
import { createFleet, type FleetDependencies } from './fleet.ts'
import type { Screencast } from './live/screencast.ts'
import type { BrowserSession } from './session-rows.ts'

export interface BrowserOrder {
  readonly caller: Caller
  readonly minutes: number
  /** What they cost. */
  readonly charged: Micros
  readonly keepAlive: boolean
  readonly country: string | undefined
  readonly isRecorded: boolean
  readonly effect: RecordEffect
}

export interface RentedBrowsers {
  /**
   * Throws `too_many_inflight`, `unavailable`, `upstream_error`, and `file_quota_exceeded` without room for a
   * recording.
   */
  create(order: BrowserOrder, signal: AbortSignal): Promise<BrowserSession>
  /**
   * Opens a connection to DevTools and sends `greeting`, with the path of the browser's WebSocket. Resolves when the
   * browser answers. Throws `not_found`, `session_closed`, `session_elsewhere`, `too_many_inflight`, `unavailable`.
   */
  enter(id: string, greeting: (path: string) => string): Promise<Socket>
  /**
   * Shows the browser of a session, without keeping it open. Throws `not_found`, `session_closed`, `session_elsewhere`,
   * `too_many_inflight`.
   */
  look(id: string, onFrame: (jpeg: Buffer) => Promise<void>): Promise<Screencast>
  /** Ends the session and its browser. Repeating it changes nothing. */
  release(id: string, reason?: CloseReason): Promise<BrowserSession | undefined>
  /** Looks at the row again soon, because it was changed. */
  notice(id: string): void
  /** Browsers that run or start here. */
  count(): number
  close(): Promise<void>
}

const attemptsMax = 3
const dyingMs = 2_000

export function createRentedBrowsers(dependencies: FleetDependencies): RentedBrowsers {
  const { rows, recordings, clock } = dependencies
  const fleet = createFleet(dependencies)

  return {
    async create({ caller, isRecorded, effect, ...order }, signal) {
      const id = await rows.begin({ caller, ...order, isRecorded, place: 'here' }, effect)
      try {
        const session = await rows.find(id)
        if (session === undefined) throw fail('session_closed')
        if (isRecorded) await recordings.reserve(caller, id)
        await fleet.start(session)
        signal.throwIfAborted()
        const started = (await rows.start(id, id)) ?? session
        fleet.notice(id)
        return started
      } catch (thrown) {
        await fleet.end(id)
        await rows.forget(id)
        if (isRecorded) await recordings.forget(caller, id)
        throw thrown instanceof CallError ? thrown : fail('upstream_error', { cause: thrown })
      }
    },
    async enter(id, greeting) {
      for (let attempt = 1; ; attempt += 1) {
        const live = await fleet.open(id)
        const socket = await live.enter(greeting).catch((thrown) => {
          if (thrown instanceof CallError || attempt === attemptsMax) throw thrown
        })
        if (socket !== undefined) return socket
        // Its process may end some moments after its connections.
        await Promise.race([live.chromium.ended, clock.sleep(dyingMs)])
      }
    },
    look: async (id, onFrame) => await (await fleet.open(id)).look(onFrame),
    async release(id, reason = 'closed') {
      await rows.end(id, reason)
      await fleet.end(id)
      return await rows.find(id)
    },
    notice: fleet.notice,
    count: fleet.count,
    close: fleet.close,
  }
}
