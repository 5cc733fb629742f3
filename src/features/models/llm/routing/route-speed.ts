// How fast the routes have answered lately: percentiles of the time to the first token, and of tokens per second.
import type { Clock } from '#core/ports.ts'
import type { Route } from './models.ts'

/** Answers of one route that are remembered, and for how long. */
const answersMax = 128
const windowMs = 30 * 60_000
/** Routes that are measured. The one that was idle for longest makes room. */
const routesMax = 2_000
/** Shorter answers say little about tokens per second. */
const tokensMin = 20

export interface Answered {
  /** From the request to this route until its last token. */
  readonly totalMs: number
  /** Until the first token of a stream; null for a whole answer. */
  readonly firstTokenMs: number | null
  readonly completionTokens: number
}

export interface Percentiles {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p99: number
}

export interface MeasuredSpeed {
  /** Milliseconds to the first token of streams. */
  readonly latencyMs: Percentiles | undefined
  readonly tokensPerSecond: Percentiles | undefined
  readonly answers: number
}

export interface RouteSpeed {
  note(route: Route, answered: Answered): void
  /** Undefined if the route has not answered within the window. */
  of(route: Route): MeasuredSpeed | undefined
}

interface Sample {
  readonly at: number
  readonly firstTokenMs: number | null
  readonly tokensPerSecond: number | undefined
}

export function createRouteSpeed({ clock }: { clock: Pick<Clock, 'now'> }): RouteSpeed {
  const samples = new Map<string, Sample[]>()
  return {
    note(route, { totalMs, firstTokenMs, completionTokens }) {
      const key = keyOf(route)
      const latest = samples.get(key) ?? []
      samples.delete(key)
      samples.set(key, latest)
      if (samples.size > routesMax) samples.delete(samples.keys().next().value ?? '')
      if (latest.length >= answersMax) latest.shift()
      const isLong = completionTokens >= tokensMin && totalMs > 0
      latest.push({
        at: clock.now(),
        firstTokenMs,
        tokensPerSecond: isLong ? (completionTokens * 1_000) / totalMs : undefined,
      })
    },
    of(route) {
      const since = clock.now() - windowMs
      const recent = (samples.get(keyOf(route)) ?? []).filter(({ at }) => at > since)
      if (recent.length === 0) return undefined
      return {
        latencyMs: percentilesOf(recent.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])),
        tokensPerSecond: percentilesOf(
          recent.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? []),
        ),
        answers: recent.length,
      }
    },
  }
}

function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) }
}

function keyOf({ upstream, slug }: Route): string {
  return `${upstream.name} ${slug}`
}
