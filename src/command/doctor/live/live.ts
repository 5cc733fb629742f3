// `tollway doctor providers`: whether the vendors behind this gateway still answer as their fixtures say. It shows what
// each call costs at most, and calls nothing without `--live`.
import { type Surroundings, UsageError } from '@tollway/command'
import type { Diagnosis } from '../diagnosis.ts'
import { planHere } from './here.ts'
import type { PlannedCheck } from './planned.ts'

export interface LiveOptions {
  /** A namespace. Undefined: every provider that has its key, or needs none. */
  readonly provider?: string | undefined
  readonly live: boolean
  readonly maxCents: number
  readonly version: string
}

type LiveSurroundings = Omit<Surroundings, 'connection' | 'input' | 'typedIn'>

/**
 * By the gateway that runs in this folder, which knows the APIs that it sells, or else by this process. Resolves to the
 * exit code: 1 if a vendor did not answer, or not as the action needs it.
 */
export async function runDoctorOfProviders(
  options: LiveOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { planAtGateway } = await import('./at-gateway.ts')
  const plan = await planAtGateway(options, surroundings)
  return plan === undefined
    ? await runLiveDoctor(options, surroundings)
    : await carryOut(plan, options, surroundings)
}

export async function runLiveDoctor(
  options: LiveOptions,
  surroundings: LiveSurroundings,
): Promise<number> {
  return await carryOut(await planHere(options, surroundings), options, surroundings)
}

async function carryOut(
  plan: readonly PlannedCheck[],
  { live, maxCents }: LiveOptions,
  { output }: LiveSurroundings,
): Promise<number> {
  const cents = plan.reduce((sum, each) => sum + each.cents, 0)
  const providers = plan.length === 1 ? '1 provider' : `${plan.length} providers`
  const costs = `${providers}, ${amount(cents)} at most.`
  const probes = plan.map(({ ask: _ask, ...shown }) => shown)
  if (!live) {
    output.print({ cents, probes }, () =>
      [...probes.map(showPlan), `${costs} Nothing was asked; --live asks.`].join('\n'),
    )
    return 0
  }
  if (cents > maxCents)
    throw new UsageError(`${costs} That is above --max-cents ${maxCents}. Name one provider.`)
  for (const row of probes) output.note(showPlan(row))
  output.note(costs)
  const findings: Diagnosis[] = []
  for (const { call, ask } of plan) {
    if (ask === undefined) continue
    output.redraw(`Asking ${call}`)
    findings.push(await ask())
  }
  output.redraw('')
  const isWell = findings.every(({ state }) => state !== 'problem')
  output.print({ ok: isWell, cents, findings }, () =>
    findings
      .map(({ subject, state, says, fix }) => `${state} ${subject}: ${says} ${fix ?? ''}`.trim())
      .join('\n'),
  )
  return isWell ? 0 : 1
}

function showPlan({ provider, call, cents, isCostUnknown, reason }: Omit<PlannedCheck, 'ask'>) {
  if (call === null)
    return `${provider}: ${reason ?? 'nothing of it is harmless to ask, so it is not asked.'}`
  return `${call}: ${isCostUnknown ? 'no cost is declared' : `${amount(cents)} at most`}.`
}

const amount = (cents: number) => `${Number(cents.toFixed(4))}¢`
