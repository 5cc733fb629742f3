/** An element that is passed over with everything in it. */
export interface Skip {
  isActive(): boolean
  begin(name: string): void
  /** Elements of the same name inside it have ends of their own. */
  open(name: string): void
  close(name: string): void
}

export function createSkip(): Skip {
  let skipped: string | undefined
  let depth = 0
  return {
    isActive: () => skipped !== undefined,
    begin(name) {
      skipped = name
      depth = 1
    },
    open(name) {
      if (name === skipped) depth += 1
    },
    close(name) {
      if (name !== skipped) return
      depth -= 1
      if (depth === 0) skipped = undefined
    },
  }
}
