// Makes a failing run smaller: fewer callers, calls, gateways and faults, as long as it fails.
import { faultKinds } from './machine/faults.ts'
import type { RunSeed } from './seeds.ts'
import type { Outcome } from './world/simulation.ts'
import type { Scenario } from './world/world.ts'

const triesMax = 400

export async function shrink(
  failing: Scenario,
  run: RunSeed,
): Promise<{ scenario: Scenario; outcome: Outcome }> {
  let scenario = failing
  let outcome = await run(scenario)
  let tries = 0
  for (let hasShrunk = true; hasShrunk && tries < triesMax; ) {
    hasShrunk = false
    for (const smaller of smallerThan(scenario, outcome)) {
      tries += 1
      const tried = await run(smaller)
      if (tried.violations.length === 0) continue
      scenario = smaller
      outcome = tried
      hasShrunk = true
      break
    }
  }
  return { scenario, outcome }
}

function* smallerThan(scenario: Scenario, { faults }: Outcome): Generator<Scenario> {
  const { gateways, callers, calls, without } = scenario
  for (const most of new Set([0, Math.floor(faults.length / 2), faults.length - 1]))
    if (most >= 0 && most < faults.length) yield { ...scenario, faultsMost: most }
  for (const kind of faultKinds)
    if (faults.includes(kind)) yield { ...scenario, without: [...without, kind] }
  if (gateways > 1) yield { ...scenario, gateways: gateways - 1 }
  if (callers > 1) yield { ...scenario, callers: callers - 1 }
  if (calls > 1) yield { ...scenario, calls: Math.ceil(calls / 2) }
  if (calls > 1) yield { ...scenario, calls: calls - 1 }
}

/** As arguments of the command line. */
export function describe({
  seed,
  callers,
  calls,
  gateways,
  faultsMost,
  without,
}: Scenario): string {
  const size = `--seed ${seed} --callers ${callers} --calls ${calls} --gateways ${gateways}`
  const mix = without.length === 0 ? '' : ` --without '${without.join(',')}'`
  return `${size} --faults ${faultsMost}${mix}`
}
