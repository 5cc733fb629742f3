import { availableParallelism } from 'node:os'
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import { type Kind, testsByKind } from './test/support/projects.ts'

const tests = testsByKind()

const project = (kind: Kind, test: UserWorkspaceConfig['test'] = {}): UserWorkspaceConfig => ({
  test: {
    name: kind,
    include: tests[kind],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    ...test,
  },
})

const withDatabase = { globalSetup: ['test/support/global-setup.ts'] }

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      project('unit'),
      project('app', withDatabase),
      project('slow', { ...withDatabase, testTimeout: 240_000 }),
    ],
  },
})
