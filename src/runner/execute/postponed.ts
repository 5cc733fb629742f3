/** Thrown by a job that is to be resumed later. */
export class PostponedError extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('The job waits.')
    this.delayMs = delayMs
  }
}

export function postpone(delayMs: number): never {
  throw new PostponedError(delayMs)
}
