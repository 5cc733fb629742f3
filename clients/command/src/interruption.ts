/** Rejects with the reason of `signal` at once, although the work still waits. */
export function untilInterrupted<Result>(
  work: Promise<Result> | Promise<void>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    ;(work as Promise<Result>)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Web standards and Node have an error each for what was aborted. */
export const isInterruption = (error: unknown) =>
  error instanceof Error && error.name === 'AbortError'
