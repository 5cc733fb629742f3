// Lets an action run others inside its call.
import type { Hop, PreparedCall } from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import { microsToCents } from '#core/money.ts'
import { quotePrice, settlePrice } from '#core/price.ts'
import { unitsOf } from '#core/pricing/units.ts'
import type { Access } from './access.ts'
import { hasMade } from './effects.ts'
import type { Dependencies, Perform, RunPlace } from './execute.ts'
import { isFinal, type StepResult } from './job-step.ts'
import { PostponedError } from './postponed.ts'
import { addCosts, addUntold, declaredCostOf, isUntold, openStepCost } from './step-cost.ts'
import { billedByVendor, recordHop } from './trail.ts'

/** How deep actions may run inside other actions: two saved plans in a plan, and below them an action with others. */
const innerDepthMax = 5

type Prepare = (id: string, body: unknown, place: RunPlace) => Promise<PreparedCall>

/** Lets an action run another. Nothing is held or charged for the inner one: its hop states its price. */
export function createPrepare(
  access: Access,
  { clock, perform, effects }: Pick<Dependencies, 'clock' | 'effects'> & { perform: Perform },
): Prepare {
  async function undoEffects(place: RunPlace) {
    const { callId, folder = '' } = place
    if (callId !== undefined) await effects.undo(callId, folder)
  }

  return async (id, body, place) => {
    const done = place.step?.done
    if (done !== undefined) return repeatDone(done, place)
    if (place.depth > innerDepthMax) throw new Error(`${id} would run ${place.depth} actions deep.`)
    const offered = access.resolve(...splitId(id))
    const entry = place.sold.find((each) => each.id === offered.id) ?? offered
    const { price } = entry.action
    const { input, maxCostMicros } = access.validate(entry, body)
    await access.admit(entry, input, place.trail.caller)
    const quote = quotePrice(price, input, maxCostMicros)
    return {
      quote,
      async run(signal) {
        const { step, outer } = place
        const own = openStepCost(place)
        const startedAt = clock.now()
        const hopOf = (rest: Pick<Hop, 'ok' | 'charged_cents'>) =>
          recordHop(place, id, { latency_ms: clock.now() - startedAt, ...rest })
        try {
          // An earlier try may have stopped after its effects. A job goes on with what it has made.
          if (step !== undefined && entry.action.mode !== 'job') await undoEffects(place)
          const data = await perform(entry, input, {
            ...place,
            stepCost: own,
            quoted: quote.micros,
            outer: signal && outer ? AbortSignal.any([signal, outer]) : (signal ?? outer),
          })
          const charged = settlePrice(price, quote, input, data)
          const units = unitsOf(price, input, data)
          if (isUntold(own, entry)) {
            const declared = declaredCostOf(entry)
            addUntold({ ...place, stepCost: own }, { action: entry.id, units, declared })
            if (entry.action.costUsd === undefined)
              place.trail.unreported += declared ?? billedByVendor(entry, charged)
          }
          const hop = hopOf({ ok: true, charged_cents: microsToCents(charged, 'up') })
          const { micros: cost, untold } = own
          await step?.finish({
            data,
            hop,
            charged,
            untold,
            ...(cost === undefined ? {} : { cost }),
          })
          return { data, charged }
        } catch (thrown) {
          if (thrown instanceof PostponedError) throw thrown
          hopOf({ ok: false, charged_cents: 0 })
          const isOver = entry.action.mode !== 'job' || isFinal(thrown)
          if (isOver && hasMade(place)) await undoEffects(place)
          throw toCallError(thrown)
        }
      },
    }
  }
}

function repeatDone({ data, hop, charged, ...made }: StepResult, place: RunPlace): PreparedCall {
  return {
    quote: { kind: 'exact', micros: charged },
    async run() {
      place.trail.hops.push(hop)
      addCosts(place, made)
      return { data, charged }
    },
  }
}

/** Prepares and runs. A call that is refused before it is sent also records a hop. */
export function createCallInside(prepare: Prepare) {
  return async (id: string, body: unknown, place: RunPlace): Promise<unknown> => {
    const prepared = await prepare(id, body, place).catch((thrown) => {
      const error = toCallError(thrown)
      recordHop(place, id, { ok: false, charged_cents: 0, latency_ms: 0, skipped: error.code })
      throw error
    })
    return (await prepared.run()).data
  }
}
