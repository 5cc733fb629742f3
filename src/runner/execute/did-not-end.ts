import { type CallError, fail } from '#core/errors.ts'

/** What a caller reads when the deadline of a call has passed. */
export function didNotEnd(seconds: number): CallError {
  const waited = `within ${seconds} seconds`
  return fail('upstream_error', {
    message: `The call did not end ${waited}. Nothing was charged; try again.`,
    cause: new Error(`No answer came ${waited}.`),
  })
}
