// What every call of a surface goes through: routes, hold, attempts, charge.
import type { Dispatcher } from 'undici'
import { type CallError, fail } from '#core/errors.ts'
import { type ModelPrice, priceOfSurface } from '#core/model-price.ts'
import { modelActions } from '#core/model-router.ts'
import { type SurfaceUsage, tokensOfUsage } from '#core/models/surfaces.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { ExchangeTimeouts } from '../llm/exchange/exchange.ts'
import type { UpstreamFailure } from '../llm/exchange/failure.ts'
import type { Meter } from '../llm/meter.ts'
import {
  type Attempts,
  attemptsMax,
  createAttempts,
  type RouteAttempt,
} from '../llm/routing/attempts.ts'
import type { ModelCatalog, Models, Route } from '../llm/routing/models.ts'
import type { RouteHealth } from '../llm/routing/route-health.ts'
import type { LocalModels } from './local-models.ts'
import type { SurfaceCall, SurfaceReply, SurfaceRequest } from './request.ts'

const holdMarginMs = 60_000

export interface SurfaceDependencies {
  readonly models: Models
  readonly health: RouteHealth
  readonly dispatcher: Dispatcher
  readonly meter: Meter
  readonly local: LocalModels
  readonly clock: Clock
  readonly log: Log
  readonly telemetry?: Telemetry | undefined
}

/** What the attempts that failed have cost the operator, and which route is being asked. */
interface SurfaceProgress {
  asked: Route | undefined
  failedMicros: Micros
}

/** A call whose worst case is held. */
export interface HeldCall {
  readonly request: SurfaceRequest
  readonly call: SurfaceCall
  readonly offer: ModelCatalog
  readonly callId: string
  readonly heldMicros: Micros
  readonly attempts: Attempts
  readonly progress: SurfaceProgress
  readonly close: (
    end: SurfaceEnd | undefined,
    rest: { failed?: CallError | undefined; costMicros?: Micros; stored?: string | undefined },
  ) => Promise<void>
}

/** How a call has ended that was answered. */
export interface SurfaceEnd {
  readonly route: Route
  readonly usage: SurfaceUsage
  readonly micros: Micros
  readonly estimated: boolean
  readonly ending: 'complete' | 'client_gone' | 'broken'
}

interface SurfacePlan {
  readonly offer: ModelCatalog
  readonly price: ModelPrice
  readonly routes: readonly Route[]
}

/**
 * Throws `not_found` for a model that this surface does not sell, `forbidden` for one that the key may not use,
 * `provider_not_configured` without an upstream.
 */
function planSurface(
  models: Models,
  { surface, model }: SurfaceRequest,
  { caller }: SurfaceCall,
): SurfacePlan {
  const offer = models.current()
  const price = offer.prices.get(model)
  if (price?.surface !== surface)
    throw fail('not_found', {
      message: `There is no model "${model.slice(0, 100)}" for ${surface} here. GET /api/llm/v1/models lists the models.`,
      data: { param: 'model' },
    })
  requireModel(caller, model)
  const routes = offer.routes(model, surface)
  if (routes.length > 0) return { offer, price, routes }
  throw fail('provider_not_configured', {
    message: `No provider on this gateway serves ${model}. GET /api/llm/v1/models lists the models that are served. Nothing was charged.`,
  })
}

/** Holds the worst case and hands the call to `answer`, or replays what is stored for the idempotency key. */
export async function holdCall(
  dependencies: SurfaceDependencies,
  request: SurfaceRequest,
  call: SurfaceCall,
  answer: (held: HeldCall) => Promise<SurfaceReply>,
): Promise<SurfaceReply> {
  const { models, meter, clock } = dependencies
  const { offer, price, routes } = planSurface(models, request, call)
  const worstMicros = priceOfSurface(price, await request.worst(price, request.model))
  const { answer_last_ms, total_ms } = offer.timeouts
  const opened = await meter.open({
    caller: call.caller,
    action: modelActions[request.surface],
    worstMicros: onlyOne(worstMicros),
    maxCostMicros: request.maxCostMicros,
    idempotencyKey: call.idempotencyKey,
    body: { surface: request.surface, model: request.model, asked: request.meaning },
    tokens: tokensOfUsage(request.estimate(price)),
    lifetimeMs: total_ms + attemptsMax * answer_last_ms + holdMarginMs,
  })
  const headers = { 'x-transaction-id': opened.callId }
  if (opened.replay !== undefined) {
    const replayed = request.replay(JSON.parse(opened.replay))
    return { kind: 'whole', headers: { ...headers, 'idempotency-replayed': 'true' }, ...replayed }
  }
  const startedAt = clock.now()
  const attempts = createAttempts({ ...dependencies, routes, tier: false, gone: call.gone })
  const progress: SurfaceProgress = { asked: undefined, failedMicros: 0 }
  return await answer({
    request,
    call,
    offer,
    callId: opened.callId,
    heldMicros: opened.heldMicros,
    attempts,
    progress,
    close: (end, { failed, costMicros, stored }) =>
      meter.close(opened.callId, {
        caller: call.caller,
        chargedMicros: failed === undefined ? (end?.micros ?? 0) : 0,
        failed: failed && { error: failed.code, message: failed.message },
        costMicros: costMicros ?? costAfterFailures(end, progress),
        output: call.idempotencyKey === undefined ? undefined : stored,
        tokens: end && tokensOfUsage(end.usage),
        timeline: {
          hops: attempts.hops,
          inference: {
            requested: request.model,
            prices: offer.version,
            latency_ms: clock.now() - startedAt,
            ...(end === undefined ? {} : describeEnd(end, progress)),
          },
        },
      }),
  })
}

async function* onlyOne<Value>(value: Value): AsyncGenerator<Value> {
  yield value
}

/** What an answered call has cost where attempts before it failed. Undefined where the prices say it. */
const costAfterFailures = (end: SurfaceEnd | undefined, { failedMicros }: SurfaceProgress) =>
  end && failedMicros > 0 ? failedMicros + priceOfSurface(end.route.price, end.usage) : undefined

function describeEnd(
  { route, usage, estimated, ending }: SurfaceEnd,
  { failedMicros }: SurfaceProgress,
): object {
  return {
    model: route.slug,
    upstream: route.upstream.name,
    used: usage,
    estimated,
    ending,
    // The database counts it: money/schema/functions/uncharged.sql.
    ...(failedMicros === 0 ? {} : { uncharged_micros: failedMicros }),
  }
}

/** The charge of an answer: by the vendor's count, or by an estimate, and never more than was held. */
export function endOf(
  { request, heldMicros }: Pick<HeldCall, 'request' | 'heldMicros'>,
  route: Route,
  told: { readonly usage: SurfaceUsage | undefined; readonly ending: SurfaceEnd['ending'] },
): SurfaceEnd {
  const usage = told.usage ?? request.estimate(route.price)
  return {
    route,
    usage,
    micros: Math.min(heldMicros, priceOfSurface(route.price, usage)),
    estimated: told.usage === undefined,
    ending: told.ending,
  }
}

/** Counts what an attempt has cost that failed after its upstream had begun to answer. */
export function noteFailure(
  { request, progress }: Pick<HeldCall, 'request' | 'progress'>,
  route: Route,
  { billed }: UpstreamFailure,
): void {
  progress.asked = undefined
  if (billed !== undefined)
    progress.failedMicros += priceOfSurface(route.price, request.estimate(route.price))
}

/** What a failed call has cost the operator. An upstream that was left bills what it was asked. */
export function costOfFailure(
  { request, progress: { asked, failedMicros } }: Pick<HeldCall, 'request' | 'progress'>,
  left: boolean,
): Micros {
  if (asked === undefined || !left) return failedMicros
  return failedMicros + priceOfSurface(asked.price, request.estimate(asked.price))
}

/** For an answer that arrives at the end of the work. */
export function timeoutsFor({ offer }: HeldCall, { last }: RouteAttempt): ExchangeTimeouts {
  const { answer_ms, answer_last_ms, total_ms } = offer.timeouts
  const answerMs = last ? answer_last_ms : answer_ms
  return { firstMs: answerMs, idleMs: answerMs, totalMs: Math.max(answerMs, total_ms) }
}
