/**
 * Keeps an answer of a call's work under a transaction id of its own, by which the caller can read it once the call is
 * charged. It costs nothing more. Undefined where nothing is paid, or where it is too much to keep.
 */
export type KeepAnswer = (answer: {
  readonly action: string
  readonly output: unknown
}) => string | undefined
