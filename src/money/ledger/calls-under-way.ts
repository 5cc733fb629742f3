// The calls that this gateway has held and not ended. A held row of any other call is one whose end the database has
// forgotten.
import type { Clock } from '#core/ports.ts'
import type { Hold } from './operations.ts'

export interface CallsUnderWay {
  /** Called before the hold is sent, so that its row never comes first. */
  begin(hold: Pick<Hold, 'callId' | 'lifetimeMs'>): void
  end(callId: string): void
  has(callId: string): boolean
  /** Forgets those past their deadline, which recovery voids. */
  forgetOld(): void
}

export function createCallsUnderWay(clock: Clock): CallsUnderWay {
  const deadlinesMs = new Map<string, number>()
  return {
    begin: ({ callId, lifetimeMs }) => void deadlinesMs.set(callId, clock.now() + lifetimeMs),
    end: (callId) => void deadlinesMs.delete(callId),
    has: (callId) => deadlinesMs.has(callId),
    forgetOld() {
      for (const [callId, deadlineMs] of deadlinesMs)
        if (deadlineMs <= clock.now()) deadlinesMs.delete(callId)
    },
  }
}
