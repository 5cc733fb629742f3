// The answer of `GET /api/llm/v1/models/{id}/endpoints`: the providers of one model, with how fast they have answered
// within the last half hour.
import type { ModelPrice } from '#core/model-price.ts'
import { describeModel } from './describe-models.ts'
import type { ModelCatalog, Route } from './routing/models.ts'
import type { RouteHealth } from './routing/route-health.ts'
import type { Percentiles, RouteSpeed } from './routing/route-speed.ts'

export interface RouteMeasures {
  readonly health: Pick<RouteHealth, 'isFailing'>
  readonly speed: Pick<RouteSpeed, 'of'>
}

/** Undefined if no provider serves the model. */
export function describeEndpoints(
  offer: ModelCatalog,
  slug: string,
  measures: RouteMeasures,
): object | undefined {
  const price = offer.prices.get(slug)
  const routes = offer.routes(slug, price?.surface)
  if (price === undefined || routes.length === 0) return undefined
  const { id, name, created, architecture } = describeModel(slug, price)
  const endpoints = routes.map((route) => describeEndpoint(route, price, measures))
  return { data: { id, name, created, description: '', architecture, endpoints } }
}

function describeEndpoint(route: Route, price: ModelPrice, { health, speed }: RouteMeasures) {
  const { context_length, pricing, top_provider, supported_parameters } = describeModel(
    route.slug,
    price,
  )
  const { latencyMs, tokensPerSecond, answers = 0 } = speed.of(route) ?? {}
  return {
    name: `${route.upstream.name} | ${route.slug}`,
    model_id: route.slug,
    provider_name: route.upstream.name,
    tag: route.upstream.name,
    context_length,
    max_completion_tokens: top_provider.max_completion_tokens,
    max_prompt_tokens: null,
    pricing,
    supported_parameters,
    quantization: null,
    // Below zero: it fails now and is asked last.
    status: health.isFailing(route) ? -1 : 0,
    no_retention: !route.upstream.keepsData,
    uptime_last_30m: null,
    latency_last_30m: rounded(latencyMs),
    throughput_last_30m: rounded(tokensPerSecond),
    answers_last_30m: answers,
  }
}

function rounded(percentiles: Percentiles | undefined) {
  if (percentiles === undefined) return null
  const round = (value: number) => Math.round(value * 100) / 100
  const { p50, p75, p90, p99 } = percentiles
  return { p50: round(p50), p75: round(p75), p90: round(p90), p99: round(p99) }
}

/** Every route that has answered lately or fails now, the busiest first. */
export function describeRoutes(offer: ModelCatalog, { health, speed }: RouteMeasures) {
  return [...offer.prices]
    .flatMap(([slug, { surface }]) => offer.routes(slug, surface))
    .flatMap((route) => {
      const measured = speed.of(route)
      const isFailing = health.isFailing(route)
      if (measured === undefined && !isFailing) return []
      return [
        {
          model: route.slug,
          provider: route.upstream.name,
          failing: isFailing,
          answers: measured?.answers ?? 0,
          latency_ms: rounded(measured?.latencyMs),
          tokens_per_second: rounded(measured?.tokensPerSecond),
          no_retention: !route.upstream.keepsData,
        },
      ]
    })
    .toSorted((one, other) => other.answers - one.answers)
}
