// How a chat ends: its charge and its timeline.
import type { Hop } from '#core/action.ts'
import { priceOfUsage, type TokenUsage } from '#core/model-price.ts'
import { type Micros, usdToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { ModelRequest } from './conversation/model-request.ts'
import type { UpstreamFailure } from './exchange/failure.ts'
import type { Route } from './routing/models.ts'
import { type ChatPlan, outputTokensMax } from './routing/plan.ts'
import type { RouteSpeed } from './routing/route-speed.ts'
import { completeUsage, estimateUsage } from './usage.ts'

/** A chat that has ended. */
export interface End {
  readonly route: Route
  readonly usage: TokenUsage
  readonly estimated: boolean
  readonly micros: Micros
  /** The price of what the hold had no room for. */
  readonly unchargedMicros: Micros
  readonly ending: 'complete' | 'client_gone' | 'broken'
  readonly firstTokenMs: number | null
  /** The id that the model gave its answer. */
  readonly answerId?: string | undefined
}

interface PlannedChat {
  readonly chat: ModelRequest
  readonly plan: ChatPlan
}

/** Default tokens of a picture: those of a large and a small one at OpenAI. */
const pictureTokens = { high: 765, low: 85 } as const
/** No text has more bytes per token on average, so an answer beyond this has exceeded its token limit. */
const bytesPerTokenMax = 16
const overrunBytesMin = 2_000

/**
 * The charge of a chat. A complete answer is charged by the provider's count. An answer without a count, or whose
 * caller left, is charged by what was produced. An answer that the provider broke off is free.
 */
export function endOf(
  { chat, plan }: PlannedChat,
  route: Route,
  told: {
    usage: TokenUsage | undefined
    deliveredBytes: number
    finished: boolean
    overran: boolean
    ending: End['ending']
    firstTokenMs: number | null
    answerId?: string | undefined
  },
): End {
  const { ending, firstTokenMs, answerId } = told
  const { usage: counted, isCounted } = usageOf(chat, route, told)
  const isWhole = told.finished && !told.overran
  const written = isWhole ? 0 : estimateOf(chat, route, told.deliveredBytes).completionTokens
  const usage = { ...counted, completionTokens: Math.max(counted.completionTokens, written) }
  const price = priceOfUsage(route.price, usage)
  const micros = ending === 'broken' ? 0 : Math.min(plan.worstMicros, price)
  return {
    route,
    usage,
    estimated: !isCounted || !isWhole,
    micros,
    unchargedMicros: ending === 'broken' ? 0 : price - micros,
    ending,
    firstTokenMs,
    answerId,
  }
}

/** Tokens of an answer that the provider did not count. */
function estimateOf(chat: ModelRequest, route: Route, producedBytes: number): TokenUsage {
  return estimateUsage({
    promptBytes: chat.promptBytes,
    pictureTokens: estimatePictures(chat, route),
    producedBytes,
    completionTokensMax: outputTokensMax(chat, route),
  })
}

/** Tokens of an answer, by the provider's count where it has one. */
export function usageOf(
  chat: ModelRequest,
  route: Route,
  { usage, deliveredBytes }: { usage: TokenUsage | undefined; deliveredBytes: number },
): ReturnType<typeof completeUsage> {
  return completeUsage(usage, estimateOf(chat, route, deliveredBytes), deliveredBytes)
}

/** What a model is being asked. */
interface AskedRoute {
  readonly chat: ModelRequest
  readonly route: Route
  readonly atMs: number
}

/** How far an answer is. */
export interface ChatProgress {
  /** The request that has no answer yet. */
  asked: AskedRoute | undefined
  /** What the operator has paid for in vain if the call fails now: attempts that failed, and rounds that went well. */
  failedMicros: Micros
  /** What attempts that failed have cost the operator, also where a later one answered. */
  attemptsMicros: Micros
  /** The tokens of a whole answer, which may still not reach its caller. */
  produced: TokenUsage | undefined
}

export const newProgress = (): ChatProgress => ({
  asked: undefined,
  failedMicros: 0,
  attemptsMicros: 0,
  produced: undefined,
})

/** Counts what the attempt under way has cost, which failed. */
export function noteFailure(progress: ChatProgress, failure: UpstreamFailure, pace: Pace): void {
  const { asked } = progress
  progress.asked = undefined
  if (asked === undefined || failure.billed === undefined) return
  const micros = reportedCost(failure.billed) ?? priceOfFailure(asked, failure, pace)
  progress.failedMicros += micros
  progress.attemptsMicros += micros
}

function priceOfFailure(
  asked: AskedRoute,
  { kind, billed: { usage: told, deliveredBytes = 0 } = {} }: UpstreamFailure,
  pace: Pace,
): Micros {
  const { chat, route } = asked
  if (deliveredBytes > 0 || (told === undefined && kind !== 'timeout'))
    return priceOfUsage(route.price, usageOf(chat, route, { usage: told, deliveredBytes }).usage)
  // An error in place of an answer that is counted as nothing is billed as nothing.
  return priceOfUsage(route.price, told ?? usageWhenLeft(asked, pace))
}

/** What tells how much a model has written for a caller who has left. */
export interface Pace {
  readonly clock: Pick<Clock, 'now'>
  readonly speed: Pick<RouteSpeed, 'of'>
}

/** What a failed chat has cost the operator. */
export function costOfFailure(
  { asked, failedMicros, produced, left }: ChatProgress & { readonly left: boolean },
  pace: Pace,
): Micros | undefined {
  if (asked === undefined || (produced === undefined && !left)) return failedMicros || undefined
  const usage = produced ?? usageWhenLeft(asked, pace)
  return failedMicros + priceOfUsage(asked.route.price, usage) || undefined
}

/** Of one choice of a model that was not measured lately. */
const tokensPerSecondDefault = 100

/** A model that is left bills its prompt, and what it has written by then. */
function usageWhenLeft({ chat, route, atMs }: AskedRoute, { clock, speed }: Pace): TokenUsage {
  const perSecond = chat.n * (speed.of(route)?.tokensPerSecond?.p50 ?? tokensPerSecondDefault)
  const written = Math.ceil((perSecond * Math.max(0, clock.now() - atMs)) / 1_000)
  return {
    ...estimateOf(chat, route, 0),
    completionTokens: Math.min(written, outputTokensMax(chat, route)),
  }
}

/** What a vendor reports that an answer has cost. */
export const reportedCost = ({ costUsd }: { readonly costUsd?: number | undefined }) =>
  costUsd === undefined ? undefined : usdToMicros(costUsd)

function estimatePictures({ pictures, smallPictures }: ModelRequest, { price }: Route): number {
  const most = price.image_tokens ?? pictureTokens.high
  return (
    (pictures - smallPictures) * Math.min(most, pictureTokens.high) +
    smallPictures * Math.min(most, pictureTokens.low)
  )
}

/** Whether an answer has certainly exceeded its token limit, by the provider's count or by its length. */
export function isOverrun(
  { chat, plan }: PlannedChat,
  route: Route,
  { usage, deliveredBytes }: { usage: TokenUsage | undefined; deliveredBytes: number },
): boolean {
  const { price } = route
  const most = outputTokensMax(chat, route)
  if (usage !== undefined && usage.completionTokens > most) {
    if (priceOfUsage(price, usage) > plan.worstMicros) return true
  }
  return deliveredBytes > Math.max(overrunBytesMin, most * bytesPerTokenMax)
}

export function timelineOf(
  { chat, plan }: PlannedChat,
  hops: readonly Hop[],
  end: End | undefined,
  latencyMs: number,
): object {
  return {
    hops,
    inference: {
      requested: chat.model,
      prices: plan.offer.version,
      latency_ms: latencyMs,
      stream: chat.stream,
      ...(end === undefined
        ? {}
        : {
            model: end.route.slug,
            upstream: end.route.upstream.name,
            answer_id: readAnswerId(end.answerId),
            prompt_tokens: end.usage.promptTokens,
            completion_tokens: end.usage.completionTokens,
            cached_tokens: end.usage.cacheReadTokens,
            estimated: end.estimated,
            ending: end.ending,
            first_token_ms: end.firstTokenMs,
            // The database counts it: money/schema/functions/uncharged.sql.
            ...(end.unchargedMicros === 0 ? {} : { uncharged_micros: end.unchargedMicros }),
          }),
    },
  }
}

const answerIdCharactersMax = 200

/** Upstreams choose it. */
const readAnswerId = (id: unknown) =>
  typeof id === 'string' && id.length <= answerIdCharactersMax ? id : undefined
