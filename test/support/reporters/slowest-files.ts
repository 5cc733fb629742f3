// Prints the slowest files at the end of a run of many files.
import type { Reporter, TestModule } from 'vitest/node'

const listed = 10
const filesWorthAList = 20

function millisecondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < filesWorthAList) return
    const slowest = [...modules]
      .map((module) => ({ file: module.relativeModuleId, ms: millisecondsOf(module) }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, listed)
      .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(9)} s  ${file}`)
    process.stdout.write(`\n Slowest files\n${slowest.join('\n')}\n`)
  },
}
