// Records of one paid call, shared by all actions that run in it.

import type { Hop } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { shownInput } from '#core/calls/shown-input.ts'
import { type CatalogEntry, splitId } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import type { CountAsked } from '#core/ports.ts'

/** A call inside the call. */
export interface UntoldCall {
  /** `service/action`. */
  readonly action: string
  readonly units?: number | undefined
  /** What the operator has said, with the action itself, that it costs. */
  readonly declared?: Micros | undefined
}

export interface Trail {
  readonly caller: Caller
  /** The call's row in the ledger. A call without one cannot buy anything. */
  readonly callId: string | undefined
  /** The amount held for the call, which is the most that it can be charged. */
  readonly held: Micros
  /** What the caller sent, of which the ledger stores what the owner sees later. */
  readonly input: unknown
  /** An order was sent. From then on a failure leaves the call in doubt, unless the seller itself refused. */
  ordered: boolean
  /** Payments to sellers that were sent and not answered. Each of them, too, leaves a failed call in doubt. */
  unanswered: number
  /** What the operator's wallet has paid sellers. */
  paid: Micros
  /** What actions have noted as spent, on language models. */
  spent: Micros
  readonly hops: Hop[]
  /** What a language model has answered. */
  inference?: object
  /** Where in the call something was made that stays after it. */
  readonly madeAt: Set<string>
  /** What the provider calls have cost the operator, as far as providers report it. */
  cost: Micros | undefined
  /** What the operator has said, with the action itself, that the call costs, where its reply did not tell it. */
  declared?: Micros | undefined
  /** What the call has delivered, where its price is by unit. */
  units?: number | undefined
  /** What actions inside the call have delivered without telling its cost. */
  readonly untold: UntoldCall[]
  /** How often a vendor may have been asked. */
  asked: number
  /** The price in the catalog of what vendors have answered without reporting a cost. */
  unreported: Micros
}

export function openTrail(
  caller: Caller,
  callId?: string,
  held: Micros = 0,
  input?: unknown,
): Trail {
  const nothing = {
    ordered: false,
    unanswered: 0,
    paid: 0,
    spent: 0,
    cost: undefined,
    asked: 0,
    unreported: 0,
  }
  return { caller, callId, held, input, hops: [], untold: [], madeAt: new Set(), ...nothing }
}

/**
 * What a call has cost the operator. Where its caller pays nothing, the parts without a reported cost count at their
 * prices: what such calls may cost in a day is limited.
 */
export function costOf({ cost, unreported }: Trail, charged: Micros): Micros | undefined {
  return charged > 0 || unreported === 0 ? cost : (cost ?? 0) + unreported
}

/** What a failed call has cost the operator: nothing, if it failed before a vendor was asked. */
export const failedCostOf = (trail: Trail): Micros | undefined =>
  costOf(trail, 0) ?? (trail.asked > 0 ? undefined : 0)

/** How actions tell what happened in the call. */
export const recordersOf = (trail: Trail) => ({
  record: (hop: Hop) => void trail.hops.push(hop),
  recordInference(inference: object) {
    trail.inference = inference
  },
})

/** Of an action that ran inside the call, or was refused. */
export function recordHop(
  { trail }: { readonly trail: Trail },
  id: string,
  rest: Omit<Hop, 'provider' | 'action'>,
): Hop {
  const [provider, action] = splitId(id)
  const hop = { provider, action, ...rest }
  trail.hops.push(hop)
  return hop
}

/**
 * Counts the requests of an action. Other ways to a vendor are not seen, so an action that may have one is counted at
 * once.
 */
export function countAsked(trail: Trail, entry: CatalogEntry): CountAsked {
  if (!asksByHttpAlone(entry)) trail.asked += 1
  return (times) => {
    trail.asked += times
  }
}

const asksByHttpAlone = ({ action, mode, service: { provider } }: CatalogEntry) =>
  mode !== 'embedded' &&
  provider.upstream !== undefined &&
  provider.runsOthers !== true &&
  action.soldAs !== 'tool'

/** Whether something may have been bought that cannot be given back if the call fails. */
export const isInDoubt = ({ ordered, unanswered }: Trail) => ordered || unanswered > 0

/**
 * The hops, the answer of a model and the shown input as JSON text, as the ledger stores them, with what tells the cost
 * of the call (money/schema/functions/costs.sql).
 */
export function timelineOf({
  hops,
  inference,
  input,
  declared,
  units,
  untold,
  unreported,
}: Trail): string | undefined {
  const parts = [
    ...(hops.length === 0 ? [] : [`"hops":${JSON.stringify(hops)}`]),
    ...(inference === undefined ? [] : [`"inference":${JSON.stringify(inference)}`]),
    ...(declared === undefined ? [] : [`"declared":${declared}`]),
    ...(units === undefined ? [] : [`"units":${units}`]),
    ...(untold.length === 0 ? [] : [`"untold":${JSON.stringify(sumsByAction(untold))}`]),
    ...(unreported === 0 ? [] : [`"unreported":${unreported}`]),
    ...[shownInput(input)].flatMap((shown) => (shown === undefined ? [] : [`"input":${shown}`])),
  ]
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`
}

/** Units, and declared costs, are summed where all calls of the action have them. */
function sumsByAction(calls: readonly UntoldCall[]) {
  const byAction = Map.groupBy(calls, ({ action }) => action)
  const sums = [...byAction].map(([action, all]) => {
    const units = sumOfAll(all.map((call) => call.units))
    const declared = sumOfAll(all.map((call) => call.declared))
    const sum = { calls: all.length, units, declared }
    return [action, sum] as const
  })
  return Object.fromEntries(sums)
}

const sumOfAll = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  )

/** What a vendor may bill for a call that is sold at this price. This machine and open registries bill nothing. */
export const billedByVendor = ({ mode, service }: CatalogEntry, micros: Micros) =>
  mode === 'live' && service.provider.upstream !== undefined ? micros : 0

/** Of the call itself. Where its caller pays nothing, it counts as what such calls may cost in a day. */
export function declareCost(trail: Trail, micros: Micros | undefined): void {
  if (micros === undefined) return
  trail.declared = micros
  trail.unreported += micros
}
