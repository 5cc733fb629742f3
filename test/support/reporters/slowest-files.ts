// Prints the slowest files, and those that took the most processor time and started the most gateways, at the end of a
// run of many files. A table of all of them is in `.cache/test-costs.tsv`.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** These three are from `count-processor.ts`. */
    processorSeconds?: number
    gateways?: number
    databases?: number
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
      gateways: module.meta().gateways ?? 0,
      databases: module.meta().databases ?? 0,
    }))
    const costs = ['seconds', 'processorSeconds', 'gateways', 'databases'] as const
    type Cost = (typeof costs)[number]
    const listMost = (key: Cost, show: (amount: number) => string) =>
      files
        .toSorted((one, other) => other[key] - one[key])
        .slice(0, listed)
        .map((row) => `${show(row[key]).padStart(9)}  ${row.file}\n`)
        .join('')
    const sumOf = (key: Cost) => files.reduce((sum, row) => sum + row[key], 0)
    const rows = files.map((row) => [...costs.map((key) => row[key]), row.file].join('\t'))
    mkdirSync(path.dirname(table), { recursive: true })
    writeFileSync(table, `${[...costs, 'file'].join('\t')}\n${rows.join('\n')}\n`)
    const inSeconds = (amount: number) => `${amount.toFixed(1)} s`
    const processorSeconds = sumOf('processorSeconds').toFixed(0)
    const databases = sumOf('databases')
    process.stdout.write(
      `\n Slowest files\n${listMost('seconds', inSeconds)}\n` +
        ` Most processor time, of ${processorSeconds} s\n${listMost('processorSeconds', inSeconds)}\n` +
        ` Most gateways, of ${sumOf('gateways')} in ${databases} databases\n${listMost('gateways', String)}`,
    )
  },
}
