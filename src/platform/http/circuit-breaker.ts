// Leaves a provider alone that is down: after some failures in a row its calls are refused at once, until one that is let
// through as a probe has succeeded.
import { fail } from '#core/errors.ts'
import type { Circuit, Clock } from '#core/ports.ts'

export interface CircuitBreaker {
  /** Throws `upstream_error` while the circuit of this origin is open. Whoever is let through must report an outcome. */
  enter(origin: string): void
  /** `alive`: the provider answered, if only with a refusal of the request. `unknown`: the caller did not wait for it. */
  leave(origin: string, outcome: 'alive' | 'down' | 'unknown'): void
  /** The circuits that are not closed. */
  circuits(): readonly Circuit[]
}

/** Failures in a row that open a circuit. */
const failuresInRowMax = 5
/** How long it stays open the first time; twice as long after each probe that fails. */
const openMsFirst = 15_000
const openMsMax = 240_000
/** A probe that was never reported on does not keep the circuit closed to all others for longer. */
const probeMsMax = 150_000
/** Origins that are watched at once; those that fail are watched first. */
const originsMax = 400

interface State {
  failures: number
  openMs: number
  /** When the next probe may go; undefined while the circuit is closed. */
  openUntil?: number | undefined
  probing: boolean
}

export function createCircuitBreaker({ clock }: { clock: Clock }): CircuitBreaker {
  const states = new Map<string, State>()

  function enter(origin: string) {
    const state = states.get(origin)
    if (state?.openUntil === undefined) return
    const nowMs = clock.now()
    if (nowMs < state.openUntil) throw refusal(state.openUntil - nowMs)
    state.probing = true
    state.openUntil = nowMs + probeMsMax
  }

  function leave(origin: string, outcome: 'alive' | 'down' | 'unknown') {
    const state = states.get(origin)
    if (outcome === 'alive') return void states.delete(origin)
    if (outcome === 'unknown') {
      // The next caller probes in its place.
      if (state?.probing) Object.assign(state, { probing: false, openUntil: clock.now() })
      return
    }
    if (state === undefined) {
      if (states.size >= originsMax) return
      states.set(origin, { failures: 1, openMs: openMsFirst, probing: false })
      return
    }
    state.failures += 1
    if (state.probing) state.openMs = Math.min(2 * state.openMs, openMsMax)
    // Calls that were under way when the circuit opened do not prolong it.
    else if (state.openUntil !== undefined || state.failures < failuresInRowMax) return
    state.probing = false
    state.openUntil = clock.now() + state.openMs
  }

  const describe = ([origin, state]: [string, State]): Circuit[] =>
    state.openUntil === undefined
      ? []
      : [
          {
            origin,
            state: state.probing || clock.now() >= state.openUntil ? 'half_open' : 'open',
            failures: state.failures,
            retryAt: new Date(state.openUntil).toISOString(),
          },
        ]

  return { enter, leave, circuits: () => [...states].flatMap(describe) }
}

function refusal(waitMs: number) {
  return fail('upstream_error', {
    message:
      'The provider has failed several times in a row, so it is left alone for a moment. Nothing was charged; try again after Retry-After.',
    data: { reason: 'circuit_open' },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
