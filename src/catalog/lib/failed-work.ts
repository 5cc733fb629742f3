import { fail } from '#core/errors.ts'

const failed =
  /^(?:failed|failure|errored|error|cancell?ed|rejected|refused|declined|aborted|expired|timed[ _]?out)$/i

/**
 * Throws `upstream_error` for work that a vendor accepts and says has failed in the same answer. Unknown words pass:
 * the work may be under way.
 */
export function requireUnfailed(status: unknown): void {
  if (typeof status !== 'string' || !failed.test(status.trim())) return
  throw fail('upstream_error', {
    message:
      'The provider accepted this and said at once that it has failed. Nothing was charged; check the input and try again.',
    cause: new Error(`The vendor's status is ${status}.`),
  })
}
