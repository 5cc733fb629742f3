// Counts what each test file costs: the gateways and databases that it starts, and the processor time of its worker and
// of the programs that it started and that have ended. PostgreSQL, which all files share, is not counted.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { starts } from './starts.ts'

const ticksPerSecond = 100
/** Of this process and of its children: fields 14 to 17 of the line, of which the first two are before the match. */
const place = '/proc/self/stat'
const times = /^.*\) (?:\S+ ){11}(\d+) (\d+) (\d+) (\d+)/s

function processorSeconds(): number | undefined {
  if (!existsSync(place)) return undefined
  const found = times.exec(readFileSync(place, 'utf8'))?.slice(1) ?? []
  return found.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

const before = processorSeconds()
const startsBefore = { ...starts }

// Hooks after all tests run in reverse order, so that this is the last one of the file.
// biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern which fixtures a hook wants.
afterAll(({}, file) => {
  file.meta.gateways = starts.gateways - startsBefore.gateways
  file.meta.databases = starts.databases - startsBefore.databases
  const after = processorSeconds()
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before
})
