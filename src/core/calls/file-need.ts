/** A file of the caller that a call reads. */
export interface FileNeed {
  readonly fileId: string
  /** Any of these. */
  readonly mediaTypes: readonly string[]
  /** Where the input names it: `photos[0]`. */
  readonly field: string
}
