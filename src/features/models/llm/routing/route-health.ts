// Orders routes by their recent failures. Failing routes come last but are never left out, so every call can try them.
import type { Clock } from '#core/ports.ts'
import { countsAgainst, type UpstreamFailure } from '../exchange/failure.ts'
import type { Route } from './models.ts'

const failuresMax = 3
const failureWindowMs = 30_000
const probeIntervalMs = 5_000

interface Circuit {
  failedAt: number[]
  /** Comes last until this time; undefined for a healthy route. */
  probeAt: number | undefined
}

export interface RouteHealth {
  /** Healthy routes first. Otherwise the order is kept. */
  order(routes: readonly Route[]): Route[]
  report(route: Route, failure: UpstreamFailure | undefined): void
  /** Whether it comes last now. */
  isFailing(route: Route): boolean
}

export function createRouteHealth({ clock }: { clock: Clock }): RouteHealth {
  const health = new Map<string, Circuit>()

  function isWell(route: Route): boolean {
    const circuit = health.get(keyOf(route))
    if (circuit?.probeAt === undefined) return true
    const now = clock.now()
    if (now < circuit.probeAt) return false
    // One call probes the route; other calls do not wait for it.
    circuit.probeAt = now + probeIntervalMs
    return true
  }

  return {
    order(routes) {
      if (health.size === 0) return [...routes]
      const { well = [], unwell = [] } = Object.groupBy(routes, (route) =>
        isWell(route) ? 'well' : 'unwell',
      )
      return [...well, ...unwell]
    },
    isFailing: (route) => health.get(keyOf(route))?.probeAt !== undefined,
    report(route, failure) {
      const key = keyOf(route)
      // A route that explains what is wrong with a request is healthy.
      if (failure === undefined || !countsAgainst(failure)) {
        health.delete(key)
        return
      }
      const now = clock.now()
      const circuit = health.get(key) ?? { failedAt: [], probeAt: undefined }
      health.set(key, circuit)
      circuit.failedAt = [...circuit.failedAt, now]
        .filter((at) => at > now - failureWindowMs)
        .slice(-failuresMax)
      if (failure.kind === 'busy') circuit.probeAt = now + (failure.retryAfterMs ?? 0)
      else if (circuit.failedAt.length >= failuresMax) circuit.probeAt = now + probeIntervalMs
    },
  }
}

function keyOf({ upstream, slug }: Route): string {
  return `${upstream.name} ${slug}`
}
