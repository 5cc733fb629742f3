// An action runs at the gateway that has what it works on, such as a box. The call stays where its price is held.
import type { Caller } from '#core/caller.ts'
import { type Catalog, type CatalogEntry, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { type DefineErrand, placeOf } from '#core/gateways/elsewhere.ts'
import type { Micros } from '#core/money.ts'
import { openTrail, type Trail } from './trail.ts'

/** Where in a call the action runs, as far as another gateway needs to know it. */
interface CallPlace {
  readonly trail: Trail
  readonly callId: string | undefined
  readonly depth: number
  readonly sold: Catalog['entries']
  readonly outer?: AbortSignal | undefined
  readonly closes?: boolean | undefined
  readonly folder?: string
}

interface RunOrder {
  readonly action: string
  readonly input: unknown
  readonly caller: Caller
  readonly callId: string | undefined
  readonly held: Micros
  readonly depth: number
  readonly closes: boolean
  readonly folder: string
}

interface RunResult {
  /** What the action returned, before it is compared with its schema. */
  readonly raw: unknown
  /** A gateway of the version before does not say what has told no cost. */
  readonly trail: Pick<Trail, 'hops' | 'paid' | 'spent' | 'cost' | 'unreported'> &
    Partial<Pick<Trail, 'untold'>>
}

type RunAction = (entry: CatalogEntry, input: unknown, place: CallPlace) => Promise<unknown>

export function createRunElsewhere({
  defineErrand,
  catalog,
  runHere,
}: {
  readonly defineErrand: DefineErrand
  readonly catalog: Pick<Catalog, 'find' | 'entries'>
  readonly runHere: RunAction
}) {
  const errand = defineErrand('run-action', async (sent, { signal }): Promise<RunResult> => {
    const { action, input, caller, callId, held, ...place } = sent as RunOrder
    const entry = catalog.find(...splitId(action))
    if (entry === undefined) throw fail('not_found')
    const trail = openTrail(caller, callId, held)
    const sold = catalog.entries
    const raw = await runHere(entry, input, { ...place, callId, trail, sold, outer: signal })
    const { hops, paid, spent, cost, untold, unreported } = trail
    return { raw, trail: { hops, paid, spent, cost, untold, unreported } }
  })

  /** For the failure of an action here: runs it where what it works on is. Throws any other failure again. */
  return async function runElsewhere(
    thrown: unknown,
    { entry, input, place }: { entry: CatalogEntry; input: unknown; place: CallPlace },
    addCosts: (made: RunResult['trail']) => void,
  ): Promise<unknown> {
    const at = placeOf(thrown)
    if (at === undefined) throw thrown
    const { trail, callId, depth, closes = false, folder = '', outer } = place
    const { caller, held } = trail
    // What it makes there is undone if this part of the call fails, even if the answer is lost.
    if (entry.action.makes !== undefined) trail.madeAt.add(folder)
    trail.asked += 1
    const order = { action: entry.id, input, caller, callId, held, depth, closes, folder }
    const signal = outer ?? new AbortController().signal
    const sent = await errand.send(at, order satisfies RunOrder, { signal })
    const { raw, trail: made } = sent as RunResult
    trail.hops.push(...made.hops)
    trail.paid += made.paid
    trail.spent += made.spent
    trail.unreported += made.unreported
    addCosts(made)
    return raw
  }
}
