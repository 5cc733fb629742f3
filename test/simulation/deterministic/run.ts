// Runs the gateway's money in simulated machines, seed after seed, until one breaks a promise.
//   npm run simulate -- --seconds 60 --seed 1     from this seed on, for a minute
//   npm run simulate -- --seed 42 --trace         one seed, with what happens in it
//   npm run simulate -- --mutants                 plants bugs, and says which seed finds which

import { takeOverGlobals } from './machine/globals.ts'
import { plantBug } from './mutants/plant.ts'
import { runPlanted } from './mutants/run.ts'
import { readOptions } from './options.ts'

const options = readOptions(process.argv.slice(2))
if (options.mutants) await runPlanted(options)
else {
  if (options.plant !== undefined) plantBug(options.plant)
  takeOverGlobals()
  // Thousands of errors are part of each run. Their stack traces would cost more than the run.
  Error.stackTraceLimit = options.trace ? 10 : 0
  // What it imports is loaded after the bug is planted.
  const { simulateSeeds } = await import('./simulate.ts')
  process.exitCode = await simulateSeeds(options)
}
