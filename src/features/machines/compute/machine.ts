// The boxes of this machine: opened up to a limit and a share for each account, and none where the machine cannot
// confine programs.
import { type CallError, fail } from '#core/errors.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import type { StandingBoxes } from '#platform/sandbox/standing-boxes.ts'

export interface Machine {
  /** Returns what `open` would throw now because no box is free. */
  fullFor(accountId: string): CallError | undefined
  /** Throws `too_many_inflight` when the account has its share, and `unavailable` when all boxes are taken. */
  open(accountId: string, signal: AbortSignal): Promise<StandingBox>
}

const retryAfterSeconds = 30

/** Half of the boxes: however many one account opens, others find the other half. */
export const shareOf = (boxesMax: number) => Math.ceil(boxesMax / 2)

export function createMachine({
  boxes,
  boxesMax,
  boxesPerAccountMax,
}: {
  boxes: Pick<StandingBoxes, 'open'>
  boxesMax: number
  boxesPerAccountMax: number
}): Machine {
  /** Those that are open or opening, by account. */
  const taken = new Map<string, number>()
  const takenBy = (accountId: string) => taken.get(accountId) ?? 0
  const takenByAll = () => [...taken.values()].reduce((sum, count) => sum + count, 0)

  function giveBack(accountId: string) {
    const left = takenBy(accountId) - 1
    if (left > 0) taken.set(accountId, left)
    else taken.delete(accountId)
  }

  function fullFor(accountId: string): CallError | undefined {
    if (takenBy(accountId) >= boxesPerAccountMax)
      return fail('too_many_inflight', {
        message: `Your account has ${boxesPerAccountMax} boxes open, as many as one account may have of this machine. Nothing was charged; close a sandbox or a session, and open the next one then.`,
        retryAfterSeconds,
      })
    if (takenByAll() >= boxesMax)
      return fail('unavailable', {
        message: 'All boxes of this machine are taken. Nothing was charged; try again shortly.',
        retryAfterSeconds,
      })
    return undefined
  }

  function take(accountId: string) {
    const refusal = fullFor(accountId)
    if (refusal !== undefined) throw refusal
    taken.set(accountId, takenBy(accountId) + 1)
  }

  return {
    fullFor,
    async open(accountId, signal) {
      take(accountId)
      try {
        const box = await boxes.open(signal)
        void box.ended.then(() => giveBack(accountId))
        return box
      } catch (cause) {
        giveBack(accountId)
        signal.throwIfAborted()
        throw fail('unavailable', {
          message: 'No box could be opened. Nothing was charged; try again shortly.',
          retryAfterSeconds,
          cause,
        })
      }
    },
  }
}
