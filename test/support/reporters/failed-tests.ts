// Writes the names of the tests that failed to the file that `scripts/check.ts` names, so that it can tell what failed
// in some of several runs.
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** The environment variable with the path of the file. */
export const failedTestsVariable = 'FAILED_TESTS_FILE'

const namesIn = (module: TestModule): string[] => [
  // A file that cannot be loaded has no tests.
  ...(module.state() === 'failed' && module.errors().length > 0 ? [module.relativeModuleId] : []),
  ...[...module.children.allTests('failed')].map(
    ({ fullName }) => `${module.relativeModuleId} > ${fullName}`,
  ),
]

export const failedTests: Reporter = {
  onTestRunEnd(modules) {
    const file = process.env[failedTestsVariable]
    if (file !== undefined) writeFileSync(file, JSON.stringify(modules.flatMap(namesIn)))
  },
}
