// What a seed stands for: the size of its world, besides all that is random in it.
import { compareStores } from './database/compared.ts'
import { createModel } from './database/model.ts'
import type { PostgresStore } from './database/postgres.ts'
import { takeRealTurn } from './machine/globals.ts'
import { createRandom } from './machine/random.ts'
import { type Outcome, simulate } from './world/simulation.ts'
import type { Scenario } from './world/world.ts'

export function scenarioOf(seed: number): Scenario {
  // Not the sequence of the run itself.
  const random = createRandom(seed ^ 0x5eed)
  return {
    seed,
    callers: 1 + random.below(4),
    calls: 2 + random.below(9),
    gateways: random.pick([1, 2, 2, 3]),
    faultsMost: random.pick([0, 3, 10, 100]),
    hasJobs: true,
    without: [],
  }
}

export type RunSeed = (scenario: Scenario, onLog?: (line: string) => void) => Promise<Outcome>

export const runSeed: RunSeed = async (scenario, onLog) => {
  await takeRealTurn()
  return await simulate(scenario, createModel(), onLog)
}

export const createRunOnPostgres =
  (store: PostgresStore): RunSeed =>
  async (scenario, onLog) => {
    await store.begin()
    try {
      const withoutJobs = { ...scenario, hasJobs: false }
      return await simulate(withoutJobs, compareStores(createModel(), store), onLog)
    } finally {
      await store.end()
    }
  }
