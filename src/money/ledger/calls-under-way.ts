// The calls that this gateway has held and not ended. A held row of any other call is one whose end the database has
// forgotten.
import type { Clock } from '#core/ports.ts'
import type { Hold } from './operations.ts'

export interface CallsUnderWay {
  /** Called before the hold is sent, so that its row never comes first. */
  begin(hold: Hold): void
  end(callId: string): void
  has(callId: string): boolean
  holdOf(callId: string): Hold | undefined
  /** Forgets those past their deadline, which recovery voids. */
  forgetOld(): void
}

export function createCallsUnderWay(clock: Clock): CallsUnderWay {
  const calls = new Map<string, { readonly hold: Hold; readonly deadlineMs: number }>()
  return {
    begin: (hold) =>
      void calls.set(hold.callId, { hold, deadlineMs: clock.now() + hold.lifetimeMs }),
    end: (callId) => void calls.delete(callId),
    has: (callId) => calls.has(callId),
    holdOf: (callId) => calls.get(callId)?.hold,
    forgetOld() {
      for (const [callId, { deadlineMs }] of calls)
        if (deadlineMs <= clock.now()) calls.delete(callId)
    },
  }
}
