// Stops calls to a provider that is down. After several failures in a row calls are refused at once, until a probe
// succeeds.
import { fail } from '#core/errors.ts'
import type { Circuit, Clock } from '#core/ports.ts'

export interface CircuitBreaker {
  /**
   * Throws `upstream_error` while the circuit of this origin is open. Each call that may pass must report its outcome.
   */
  enter(origin: string): void
  /** `alive`: the provider answered, possibly with a refusal. `unknown`: the caller did not wait for an answer. */
  leave(origin: string, outcome: 'alive' | 'down' | 'unknown'): void
  /** Circuits that are open or half open. */
  circuits(): readonly Circuit[]
}

/** Failures in a row that open a circuit. */
const failuresInRowMax = 5
/** How long a circuit stays open at first. The time doubles after each failed probe. */
const openMsFirst = 15_000
const openMsMax = 240_000
/** After this time a probe without an outcome no longer blocks other calls. */
const probeMsMax = 150_000
/** Failing origins that are tracked at once. */
const originsMax = 400

interface State {
  failures: number
  openMs: number
  /** Time of the next probe; undefined while the circuit is closed. */
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
      // The next call becomes the probe.
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
    // Failures of calls that started before the circuit opened do not extend it.
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
      'The provider failed several times in a row, so calls to it are paused. Nothing was charged; try again after the time in Retry-After.',
    data: { reason: 'circuit_open' },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
