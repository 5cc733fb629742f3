// The routes that a caller allows, in the order that the caller wants.
import { type ModelPrice, reachableRates } from '#core/model-price.ts'
import type { Route } from './models.ts'
import type { RouteSort, RoutingPreferences } from './preferences.ts'

/** How routes are compared. Lower is better; undefined if it is not known. */
export type Measure = (route: Route, sort: RouteSort) => number | undefined

/**
 * The routes that the caller allows, in the order that the caller wants. `groups`: the routes of each model that was
 * named, or of each tier.
 */
export function arrange(
  groups: readonly (readonly Route[])[],
  wanted: RoutingPreferences,
  measure: Measure,
  promptTokensMax: number,
): Route[] {
  const allowed = groups.map((routes) =>
    routes.filter((route) => isAllowed(route, wanted, promptTokensMax)),
  )
  const { sort } = wanted
  const sorted = (routes: readonly Route[]) =>
    sort === undefined
      ? routes
      : routes.toSorted(
          (one, other) =>
            (measure(one, sort) ?? Number.MAX_VALUE) - (measure(other, sort) ?? Number.MAX_VALUE),
        )
  const parts = wanted.sortsAll ? [allowed.flat()] : allowed
  return parts.flatMap((routes) => inOrder(sorted(routes), wanted))
}

/** The providers of `order` first. Without fallbacks only those, or else only the first route. */
function inOrder(
  routes: readonly Route[],
  { order, allowFallbacks }: RoutingPreferences,
): readonly Route[] {
  const named = order.flatMap((name) => routes.filter((route) => isNamed(route, name)))
  const others = routes.filter((route) => !named.includes(route))
  if (allowFallbacks) return [...named, ...others]
  return order.length > 0 ? named : others.slice(0, 1)
}

function isAllowed(route: Route, wanted: RoutingPreferences, promptTokensMax: number): boolean {
  const { only, ignore, noRetention, required } = wanted
  if (only !== undefined && !only.some((name) => isNamed(route, name))) return false
  if (ignore.some((name) => isNamed(route, name))) return false
  if (noRetention && route.upstream.keepsData) return false
  if (!required.every((name) => route.price.parameters?.includes(name))) return false
  return isCheap(route.price, wanted.maxPrice, promptTokensMax)
}

function isCheap(
  price: ModelPrice,
  most: RoutingPreferences['maxPrice'],
  promptTokensMax: number,
): boolean {
  const { prompt = Number.MAX_VALUE, completion = Number.MAX_VALUE } = most
  return reachableRates(price, promptTokensMax).every(
    (rates) => rates.prompt <= prompt && rates.completion <= completion,
  )
}

/** Some clients name the region or the variant of a provider: `deepinfra/turbo`. */
const isNamed = ({ upstream }: Route, name: string) => upstream.name === name.split('/')[0]
