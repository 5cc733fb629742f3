// Tries the routes of a call in order until one answers. No output of a failed route reaches the caller.
import type { Hop } from '#core/action.ts'
import type { Clock, Log } from '#core/ports.ts'
import { observe } from '#core/telemetry/observe.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import {
  failureToCallError,
  othersMayAnswer,
  type UpstreamFailure,
  worthRepeating,
} from '../exchange/failure.ts'
import type { Route } from './models.ts'
import type { RouteHealth } from './route-health.ts'

export const attemptsMax = 6
/** The last route is tried once more if it asks for no longer pause than this. */
const pauseMsMax = 2_000
const pauseJitterMs = 500

export interface RouteAttempt {
  readonly route: Route
  readonly number: number
  /** Whether no other route is left. */
  readonly last: boolean
}

export interface Attempts {
  readonly hops: readonly Hop[]
  /** When the last attempt began. */
  startedAtMs(): number
  /**
   * Resolves to the first result that is not a failure. Throws the CallError of the last failure, or the signal's
   * reason.
   */
  run<Result extends Attempted>(
    once: (attempt: RouteAttempt) => Promise<Result | UpstreamFailure>,
  ): Promise<Result>
  /** Says how an answer has ended that was going on when `run` resolved. */
  ended(failure: UpstreamFailure | undefined): void
}

export interface Attempted {
  /** The failure that ended the answer after its first content. `goes on`: that is said later, by `ended`. */
  readonly brokeOff: UpstreamFailure | 'goes on' | undefined
}

export function createAttempts(dependencies: {
  routes: readonly Route[]
  tier: boolean
  health: RouteHealth
  clock: Clock
  log: Log
  telemetry?: Telemetry | undefined
  gone: AbortSignal
  /** Those of earlier rounds of the call, to which these are added. */
  hops?: Hop[]
}): Attempts {
  const { health, clock, log, gone, telemetry } = dependencies
  const left = health.order(dependencies.routes)
  const { hops = [] } = dependencies
  let lastStartedAtMs = clock.now()
  let begun: { readonly route: Route; readonly hop: Hop } | undefined

  async function run<Result extends Attempted>(
    once: (attempt: RouteAttempt) => Promise<Result | UpstreamFailure>,
  ): Promise<Result> {
    let repeated = false
    for (let number = 1; ; number += 1) {
      const route = left.shift()
      if (route === undefined) throw new Error('A call without routes was attempted.')
      const startedAt = clock.now()
      lastStartedAtMs = startedAt
      const result = await observe(
        telemetry,
        { kind: 'upstream', provider: route.upstream.name, method: 'POST' },
        () => once({ route, number, last: left.length === 0 }),
        (ended) => wrongWith(ended)?.kind ?? 'ok',
      )
      const failure = failureOf(result)
      const wrong = wrongWith(result)
      const hop: Hop = {
        provider: route.upstream.name,
        action: route.slug,
        ok: wrong === undefined,
        charged_cents: 0,
        latency_ms: clock.now() - startedAt,
      }
      hops.push(hop)
      if (failure === undefined && (result as Attempted).brokeOff === 'goes on')
        begun = { route, hop }
      else health.report(route, wrong)
      if (failure === undefined) return result as Result
      if (failure.kind === 'refused')
        log.error(
          { upstream: route.upstream.name, model: route.slug, reason: failure.reason },
          'Operator alert: an upstream refuses this gateway. Check the key, the credit and the model name.',
        )
      else
        log.warn(
          {
            upstream: route.upstream.name,
            model: route.slug,
            kind: failure.kind,
            reason: failure.reason,
          },
          'A model did not answer.',
        )
      if (failure.kind === 'context') keepLarger(left, route)
      const over = number >= attemptsMax || !othersMayAnswer(failure)
      if (!over && left.length > 0) continue
      if (over || repeated || !worthRepeating(failure, pauseMsMax))
        throw failureToCallError(failure, dependencies.tier)
      repeated = true
      left.push(route)
      await clock.sleep(failure.retryAfterMs ?? Math.random() * pauseJitterMs, gone)
    }
  }
  return {
    hops,
    run,
    startedAtMs: () => lastStartedAtMs,
    ended(failure) {
      if (begun === undefined) return
      const { route, hop } = begun
      health.report(route, failure)
      hops[hops.indexOf(hop)] = { ...hop, ok: failure === undefined }
    },
  }
}

/** A prompt that was too long is tried only on models with a longer context. */
function keepLarger(left: Route[], { price, slug }: Route) {
  const { context } = price
  const larger = left.filter((route) =>
    context === undefined || route.price.context === undefined
      ? route.slug !== slug
      : route.price.context > context,
  )
  left.splice(0, left.length, ...larger)
}

/** The failure in place of an answer, or the one that ended it after its first content. */
function wrongWith(result: Attempted | UpstreamFailure): UpstreamFailure | undefined {
  return failureOf(result) ?? failureOf((result as Attempted).brokeOff)
}

function failureOf(result: unknown): UpstreamFailure | undefined {
  return typeof result === 'object' && result !== null && 'kind' in result && 'reason' in result
    ? (result as UpstreamFailure)
    : undefined
}
