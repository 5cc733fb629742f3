/** Runs `work` at each interval, and never twice at once. `close` waits for the run in progress. */
export function runEvery(
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, intervalMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
