// Commands in sessions.
import { CallError, fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { SessionCommand, SessionResult } from '#core/session.ts'
import { withDeadline } from '../execute/deadline.ts'
import type { Endings } from './endings.ts'
import { gone, type OwnSessions } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionRow } from './session-rows.ts'

/** A resource ends a command at its timeout. One that does not answer by then is not waited for. */
export const answerMarginMs = 10_000
/** Commands that run side by side in one session. */
const commandsAtOnceMax = 32

export function createCommands({
  clock,
  own: { lives, coming },
  endings,
  resume,
  visit,
}: {
  clock: Clock
  own: OwnSessions
  endings: Endings
  resume: (row: SessionRow) => Promise<LiveSession>
  visit: (row: SessionRow, command: SessionCommand) => Promise<SessionResult>
}) {
  async function runIn(live: LiveSession, command: SessionCommand): Promise<SessionResult> {
    if (live.running >= commandsAtOnceMax) throw tooManyCommands()
    live.running += 1
    live.lastUsedAtMs = clock.now()
    try {
      live.ended.signal.throwIfAborted()
      const timeoutMs = command.timeoutMs + answerMarginMs
      return await withDeadline({ timeoutMs, outer: live.ended.signal }, (signal) =>
        live.resource.run(command, signal),
      )
    } catch (thrown) {
      if (live.ended.signal.aborted) throw gone()
      if (thrown instanceof CallError) throw thrown
      if (await live.isAlive()) throw thrown
      await endings.closeNow(live.id, 'lost')
      throw gone()
    } finally {
      live.running -= 1
      live.lastUsedAtMs = clock.now()
    }
  }

  return async function run(row: SessionRow, command: SessionCommand): Promise<SessionResult> {
    const suspending = lives.get(row.id)
    if (suspending?.isSuspending) await suspending.inTurn(async () => {})
    const live = lives.get(row.id)
    if (live !== undefined) return await runIn(live, command)
    const isVisited = row.state === 'open' && row.machine === null && !coming.has(row.id)
    return isVisited ? await visit(row, command) : await runIn(await resume(row), command)
  }
}

const tooManyCommands = () =>
  fail('too_many_inflight', {
    message: `This session runs ${commandsAtOnceMax} commands already. Wait for one to finish.`,
    retryAfterSeconds: 1,
  })
