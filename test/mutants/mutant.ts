export interface Mutant {
  /** The effect of the bug. */
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}
