/** The command was called wrongly. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was thrown, as an Error. Those of Node have a code. */
export const errorOf = (thrown: unknown): NodeJS.ErrnoException =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
