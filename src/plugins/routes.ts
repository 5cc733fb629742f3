// A route of a plugin answers in a bounded time, also when its function never does.
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { BoundRoute, PluginRequest, PluginRoute } from '#core/rooms/plugin-doors.ts'
import { DeadlineError, withDeadline } from '#platform/deadline.ts'

/** A caller waits for it. */
const answerTimeoutMs = 30_000

export function boundRoute(
  plugin: string,
  route: PluginRoute,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): BoundRoute {
  const { method, path } = route
  async function answer({ signal: outer, ...request }: PluginRequest) {
    try {
      const limits = { timeoutMs: answerTimeoutMs, outer, clock }
      return await withDeadline(
        limits,
        async (signal) => await route.answer({ ...request, signal }),
      )
    } catch (thrown) {
      if (!(thrown instanceof DeadlineError)) throw thrown
      log.error({ plugin, method, path }, 'A route of a plugin did not answer in time.')
      throw fail('unavailable', {
        message:
          `The plugin ${plugin} did not answer within ${answerTimeoutMs / 1_000} seconds. It may have done what you ` +
          'asked for: look before you repeat it.',
      })
    }
  }
  return { ...route, answer }
}
