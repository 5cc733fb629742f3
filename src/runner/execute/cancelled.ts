// How a call ends that its caller no longer waits for.
import type { CallListener } from '#core/calls/call-listener.ts'
import { fail } from '#core/errors.ts'

/** Its signal has the reason that the call is voided with. */
export function cancelledBy({ signal }: CallListener): AbortSignal {
  const ending = new AbortController()
  const end = () => ending.abort(fail('cancelled', { message: cancelledMessage }))
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return ending.signal
}

const cancelledMessage = 'The caller has cancelled the call. Nothing was charged.'
