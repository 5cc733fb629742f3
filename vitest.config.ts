import { availableParallelism } from 'node:os'
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import { type Kind, testsByKind } from './test/support/projects.ts'
import { slowestFiles } from './test/support/slowest-files.ts'

const tests = testsByKind()

const project = (kind: Kind, test: UserWorkspaceConfig['test'] = {}): UserWorkspaceConfig => ({
  test: {
    name: kind,
    include: tests[kind],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...test,
  },
})

const slowTimeoutMs = 240_000
const withDatabase = { globalSetup: ['test/support/global-setup.ts'] }

export default defineConfig({
  test: {
    // Tests with a database, a chain or a process of their own wait for these half of the time.
    maxWorkers: 2 * availableParallelism(),
    reporters: ['default', slowestFiles],
    projects: [
      // These share their workers, which saves half of the processor time: most of it went into importing the same files.
      project('unit', { isolate: false }),
      project('app', { ...withDatabase, isolate: false }),
      project('slow-app', { ...withDatabase, isolate: false, testTimeout: slowTimeoutMs }),
      project('slow', { testTimeout: slowTimeoutMs }),
    ],
  },
})
