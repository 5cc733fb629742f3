// Prints what the gateways of a failed test logged as errors.
import type { Reporter } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** From `keep-errors.ts`. */
    loggedErrors?: string
  }
}

export const loggedErrors: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const failed of module.children.allTests('failed')) {
        const { loggedErrors: errors } = failed.meta()
        if (errors !== undefined)
          process.stdout.write(`\n Errors in the log of “${failed.fullName}”\n${errors}\n`)
      }
  },
}
