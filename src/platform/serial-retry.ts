// Retries when a resource is busy: after a random pause, and one caller at a time. Callers of a shared pool that all
// return at once would find it busy again.
import type { Clock } from '#core/ports.ts'
import { abortable } from './egress/abortable.ts'

export type SerialRetry = <Result>(
  task: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>

export function createSerialRetry(dependencies: {
  readonly clock: Clock
  readonly isBusy: (thrown: unknown) => boolean
  readonly attemptsMax: number
  readonly pauseMs: { readonly least: number; readonly most: number }
}): SerialRetry {
  const { clock, isBusy, attemptsMax, pauseMs } = dependencies
  let line: Promise<unknown> = Promise.resolve()

  async function retry<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let attempt = 2; ; attempt += 1) {
      signal.throwIfAborted()
      await clock.sleep(randomPauseMs(pauseMs), signal)
      try {
        return await task()
      } catch (thrown) {
        if (attempt >= attemptsMax || !isBusy(thrown)) throw thrown
      }
    }
  }

  return async (task, signal) => {
    try {
      return await task()
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
    }
    const mine = line.then(() => retry(task, signal))
    line = mine.catch(() => {})
    return await abortable(mine, signal)
  }
}

export function randomPauseMs({ least, most }: { least: number; most: number }): number {
  return least + Math.random() * (most - least)
}
