// Stops calls to a provider that is down. After several failures in a row calls are refused at once, until a probe
// succeeds.
import { fail } from '#core/errors.ts'
import type { Circuit, Clock } from '#core/ports.ts'
import type { SharedRecords } from '#core/replicas/shared-state.ts'

export interface CircuitBreaker {
  /**
   * Rejects with `upstream_error` while the circuit of this origin is open. Each call that may pass must report its
   * outcome.
   */
  enter(origin: string): Promise<void>
  /** `alive`: the provider answered, possibly with a refusal. `unknown`: the caller did not wait for an answer. */
  leave(origin: string, outcome: Outcome): Promise<void>
  /** Circuits that are open or half open. */
  circuits(): readonly Circuit[]
}

type Outcome = 'alive' | 'down' | 'unknown'

/** Failures in a row that open a circuit. */
const failuresInRowMax = 5
/** How long a circuit stays open at first. The time doubles after each failed probe. */
const openMsFirst = 15_000
const openMsMax = 240_000
/** After this time a probe without an outcome no longer blocks other calls. */
const probeMsMax = 150_000
/** Failing origins that are tracked at once. */
const originsMax = 400

/** Gateways that changed a state at the same time try again this often. A failure that is not counted then is lost. */
const swapsMax = 4
/** A shared state that is not changed for this time is forgotten: nothing has failed since. */
const stateLifetimeMs = 10 * 60_000

interface State {
  readonly failures: number
  readonly openMs: number
  /** Time of the next probe; undefined while the circuit is closed. */
  readonly openUntil?: number | undefined
  readonly probing: boolean
}

export function createCircuitBreaker(dependencies: {
  clock: Pick<Clock, 'now'>
  /** Keeps the states of all gateways under this name. */
  shared?: { readonly records: SharedRecords; readonly name: string } | undefined
}): CircuitBreaker {
  const { clock, shared } = dependencies
  /** As this gateway knows them. */
  const states = new Map<string, State>()
  /** Origins whose states the other gateways have not seen. */
  const unsaved = new Set<string>()

  function set(origin: string, state: State | undefined) {
    if (state === undefined) states.delete(origin)
    else if (states.has(origin) || states.size < originsMax) states.set(origin, state)
  }

  /** Changes the state at all gateways. While Redis is away, this one remembers it for them. */
  async function update(
    origin: string,
    change: (state: State | undefined) => State | undefined,
  ): Promise<void> {
    const name = `circuit ${shared?.name} ${origin}`
    for (let swaps = 0; shared !== undefined && swaps < swapsMax; swaps += 1) {
      const known = await shared.records.read(name)
      if (known === undefined) break
      const stored: State | undefined =
        known.text === undefined ? undefined : JSON.parse(known.text)
      set(origin, unsaved.has(origin) ? states.get(origin) : stored)
      const next = change(states.get(origin))
      const swap = { from: known.text, to: next && JSON.stringify(next) }
      const isSwapped =
        swap.from === swap.to ||
        (await shared.records.swap(name, { ...swap, lifetimeMs: stateLifetimeMs }))
      if (isSwapped === undefined) break
      if (!isSwapped) continue
      unsaved.delete(origin)
      return set(origin, next)
    }
    set(origin, change(states.get(origin)))
    if (shared !== undefined && states.has(origin)) unsaved.add(origin)
    else unsaved.delete(origin)
  }

  async function enter(origin: string) {
    if (shared === undefined && !states.has(origin)) return
    await update(origin, (state) => entered(state, clock.now()))
  }

  async function leave(origin: string, outcome: Outcome) {
    if (outcome !== 'down' && !states.has(origin)) return
    await update(origin, (state) => left(state, outcome, clock.now()))
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

/** Throws while the circuit is open. */
function entered(state: State | undefined, nowMs: number): State | undefined {
  if (state?.openUntil === undefined) return state
  if (nowMs < state.openUntil) throw refusal(state.openUntil - nowMs)
  return { ...state, probing: true, openUntil: nowMs + probeMsMax }
}

function left(state: State | undefined, outcome: Outcome, nowMs: number): State | undefined {
  if (outcome === 'alive') return undefined
  // The next call becomes the probe.
  if (outcome === 'unknown')
    return state?.probing ? { ...state, probing: false, openUntil: nowMs } : state
  if (state === undefined) return { failures: 1, openMs: openMsFirst, probing: false }
  const failures = state.failures + 1
  const openMs = state.probing ? Math.min(2 * state.openMs, openMsMax) : state.openMs
  const opens = state.openUntil === undefined && failures >= failuresInRowMax
  // Failures of calls that started before the circuit opened do not extend it.
  if (!state.probing && !opens) return { ...state, failures }
  return { failures, openMs, probing: false, openUntil: nowMs + openMs }
}

function refusal(waitMs: number) {
  return fail('upstream_error', {
    message:
      'The provider failed several times in a row, so calls to it are paused. Nothing was charged; try again after the time in Retry-After.',
    data: { reason: 'circuit_open' },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
