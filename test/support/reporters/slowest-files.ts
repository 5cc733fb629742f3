// Prints the files that took the most processor time, and the slowest, at the end of a run of many files. A table of
// all of them is in `.cache/test-costs.tsv`.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** From `count-processor.ts`. */
    processorSeconds?: number
  }
}

const table = path.join(import.meta.dirname, '../../../.cache/test-costs.tsv')
const listed = 10
const filesWorthAList = 20

function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  const durations = [
    environmentSetupDuration,
    prepareDuration,
    collectDuration,
    setupDuration,
    duration,
  ]
  return durations.reduce((sum, ms) => sum + ms, 0) / 1_000
}

export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length < filesWorthAList) return
    const files = modules.map((module) => ({
      file: module.relativeModuleId,
      seconds: secondsOf(module),
      processorSeconds: module.meta().processorSeconds ?? 0,
    }))
    const most = (key: 'seconds' | 'processorSeconds') =>
      files
        .toSorted((one, other) => other[key] - one[key])
        .slice(0, listed)
        .map((row) => `${row[key].toFixed(1).padStart(9)} s  ${row.file}\n`)
        .join('')
    const all = files.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0)
    const rows = files.map(
      ({ file, ...cost }) => `${cost.processorSeconds}\t${cost.seconds}\t${file}\n`,
    )
    mkdirSync(path.dirname(table), { recursive: true })
    writeFileSync(table, `processor_s\telapsed_s\tfile\n${rows.join('')}`)
    process.stdout.write(`\n Slowest files\n${most('seconds')}`)
    process.stdout.write(
      `\n Most processor time, of ${all.toFixed(0)} s\n${most('processorSeconds')}`,
    )
  },
}
