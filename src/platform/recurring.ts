/**
 * Runs `work` at each interval, and once before that if `firstAfterMs` is given; never twice at once. `close` waits for
 * the run in progress.
 */
export function runEvery(
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  firstAfterMs?: number,
): { close(): Promise<void> } {
  let running: Promise<unknown> | undefined
  function run() {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  const first = firstAfterMs === undefined ? undefined : setTimeout(run, firstAfterMs).unref()
  const timer = setInterval(run, intervalMs).unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
