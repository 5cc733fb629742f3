import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import { reportSkipped } from './test/support/oracles/report-skipped.ts'
import { type Kind, testsByKind } from './test/support/projects.ts'
import { failedTests } from './test/support/reporters/failed-tests.ts'
import { loggedErrors } from './test/support/reporters/logged-errors.ts'
import { slowestFiles } from './test/support/reporters/slowest-files.ts'

const tests = testsByKind()

/**
 * How long a test of this kind waits for an event. No limit counts how fast the machine is: it only ends a test whose
 * event never comes, and the failure names the event.
 */
const patienceMs = (kind: Kind) => (kind === 'unit' || kind === 'app' ? 100_000 : 500_000)
/** A test that waits for events one after the other, such as ten starts, may need as many times as long. */
const eventsInTurn = 5
const marginMs = 20_000

/** As the gateway does for plugins: see src/plugins/load-plugins.ts. */
const alias = { tollway: path.join(import.meta.dirname, 'src/tollway.ts') }

const project = (kind: Kind, test: UserWorkspaceConfig['test'] = {}): UserWorkspaceConfig => ({
  resolve: { alias },
  test: {
    name: kind,
    include: tests[kind],
    pool: 'forks',
    setupFiles: ['count-processor', 'keep-errors'].map(
      (name) => `test/support/reporters/${name}.ts`,
    ),
    testTimeout: eventsInTurn * patienceMs(kind) + marginMs,
    hookTimeout: eventsInTurn * patienceMs(kind) + marginMs,
    expect: { poll: { timeout: patienceMs(kind) } },
    provide: { patienceMs: patienceMs(kind) },
    ...test,
  },
})

const withDatabase = 'test/support/global-setup.ts'
const withProcesses = 'test/support/gateways/bundle.ts'

export default defineConfig({
  test: {
    // Tests with a database, a chain or a process of their own wait for these half of the time.
    maxWorkers: 2 * availableParallelism(),
    reporters: ['default', reportSkipped, slowestFiles, failedTests, loggedErrors],
    projects: [
      // These share their workers, which saves half of the processor time: most of it went into importing the same
      // files.
      project('unit', { isolate: false }),
      project('app', { globalSetup: [withDatabase], isolate: false }),
      project('slow-app', { globalSetup: [withDatabase, withProcesses], isolate: false }),
      project('slow', { globalSetup: [withProcesses] }),
      project('nightly-app', { globalSetup: [withDatabase, withProcesses], isolate: false }),
      project('nightly', { globalSetup: [withProcesses] }),
    ],
  },
})
