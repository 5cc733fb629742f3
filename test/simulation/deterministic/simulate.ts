import type { FaultKind } from './machine/faults.ts'
import { faultKinds } from './machine/faults.ts'
import type { Options } from './options.ts'
import { print } from './print.ts'
import { createRunOnPostgres, type RunSeed, runSeed, scenarioOf } from './seeds.ts'
import { describe, shrink } from './shrink.ts'
import type { Scenario } from './world/world.ts'

const isFaultKind = (text: string): text is FaultKind =>
  (faultKinds as readonly string[]).includes(text)

function readScenario(options: Options, seed: number): Scenario {
  const scenario = scenarioOf(seed)
  return {
    ...scenario,
    callers: Number(options.callers ?? scenario.callers),
    calls: Number(options.calls ?? scenario.calls),
    gateways: Number(options.gateways ?? scenario.gateways),
    faultsMost: Number(options.faults ?? scenario.faultsMost),
    without: (options.without ?? '').split(',').filter(isFaultKind),
  }
}

/** Resolves to the exit code. */
export async function simulateSeeds(options: Options): Promise<number> {
  if (!options.postgres && options.database === undefined)
    return await simulateWith(runSeed, options)
  const { startPostgres } = await import('./database/postgres-server.ts')
  const { store, stop } = await startPostgres(options)
  try {
    return await simulateWith(createRunOnPostgres(store), options)
  } finally {
    await stop()
  }
}

async function simulateWith(run: RunSeed, options: Options): Promise<number> {
  const first = Number(options.seed)
  if (options.trace) {
    const { violations } = await run(readScenario(options, first), print)
    return violations.length > 0 ? 1 : 0
  }
  const { failing, seeds, virtualMs, milliseconds, processorMs } = await runMany(
    run,
    options,
    first,
  )
  const perMinute = (spentMs: number) => Math.round((seeds * 60_000) / spentMs)
  print(`seeds ${seeds}`)
  print(`seeds per minute ${perMinute(milliseconds)}`)
  print(`seeds per minute of processor ${perMinute(processorMs)}`)
  print(`virtual hours ${(virtualMs / 3_600_000).toFixed(1)}`)
  print(`first failing seed ${failing?.seed ?? 'none'}`)
  if (failing === undefined) return 0
  const smallest = options.whole
    ? { scenario: failing, outcome: await run(failing) }
    : await shrink(failing, run)
  print(smallest.outcome.violations.join('\n'))
  print(`Replay it with: npm run simulate -- ${describe(smallest.scenario)} --trace`)
  return 1
}

async function runMany(run: RunSeed, options: Options, first: number) {
  const isForever = options.seconds !== undefined
  const seedsMax = Number(options.seeds ?? (isForever ? Number.POSITIVE_INFINITY : 1))
  const startedAtMs = performance.now()
  const startedCpu = process.cpuUsage()
  const endsAtMs = startedAtMs + Number(options.seconds ?? 3_600) * 1_000
  let seeds = 0
  let failing: Scenario | undefined
  let virtualMs = 0
  while (seeds < seedsMax && performance.now() < endsAtMs && failing === undefined) {
    const scenario = readScenario(options, first + seeds)
    const outcome = await run(scenario)
    virtualMs += outcome.virtualMs
    if (outcome.violations.length > 0) failing = scenario
    seeds += 1
  }
  const { user, system } = process.cpuUsage(startedCpu)
  const milliseconds = performance.now() - startedAtMs
  return { failing, seeds, virtualMs, milliseconds, processorMs: (user + system) / 1_000 }
}
