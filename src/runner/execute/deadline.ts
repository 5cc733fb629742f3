import { fail } from '#core/errors.ts'

/**
 * Resolves as the work does. Rejects when the deadline passes or the outer action ends first, even if the work ignores
 * the signal.
 */
export async function withDeadline<Result>(
  { timeoutMs, outer }: { timeoutMs: number; outer?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    ended.reject(reason)
  }
  const endWithOuter = () => end(outer?.reason)
  outer?.addEventListener('abort', endWithOuter)
  const timer = setTimeout(() => {
    const waited = `within ${timeoutMs / 1_000} seconds`
    end(
      fail('upstream_error', {
        message: `The call did not end ${waited}. Nothing was charged; try again.`,
        cause: new Error(`No answer came ${waited}.`),
      }),
    )
  }, timeoutMs)
  try {
    return await Promise.race([work(controller.signal), ended.promise])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', endWithOuter)
  }
}
