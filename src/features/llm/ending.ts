// How a call ends: what it is charged for, and what its transaction remembers.
import type { Hop } from '#core/action.ts'
import { priceOfUsage, type TokenUsage } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import type { ChatRequest } from './request/request.ts'
import type { Route } from './routing/models.ts'
import type { ChatPlan } from './routing/plan.ts'
import { estimateUsage } from './usage.ts'

/** What is known of a call when it ends. */
export interface End {
  readonly route: Route
  readonly usage: TokenUsage
  readonly estimated: boolean
  readonly micros: Micros
  readonly ending: 'complete' | 'client_gone' | 'broken'
  readonly firstTokenMs: number | null
}

interface PlannedChat {
  readonly chat: ChatRequest
  readonly plan: ChatPlan
}

/** What a picture counts for where nothing else is known: as much as a large and a small one of OpenAI's. */
const pictureTokens = { high: 765, low: 85 } as const
/** No text has more bytes per token on average: what is longer than its limit allows at that has run past the limit. */
const bytesPerTokenMax = 16
const overrunBytesMin = 2_000

/**
 * What a call is charged for. The provider's count, if there is one, of an answer that was finished; what was produced,
 * if there is none or the caller left in the middle; nothing, if the provider broke off.
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
  },
): End {
  const { ending, firstTokenMs } = told
  const estimate = estimateOf(chat, route, told.deliveredBytes)
  const isCounted = told.finished && !told.overran
  const usage =
    told.usage === undefined
      ? estimate
      : isCounted
        ? told.usage
        : {
            ...told.usage,
            completionTokens: Math.max(told.usage.completionTokens, estimate.completionTokens),
          }
  const micros = Math.min(plan.worstMicros, priceOfUsage(route.price, usage))
  return {
    route,
    usage,
    estimated: told.usage === undefined || !isCounted,
    micros: ending === 'broken' ? 0 : micros,
    ending,
    firstTokenMs,
  }
}

/** The tokens of an answer that nobody counted. */
export function estimateOf(chat: ChatRequest, route: Route, producedBytes: number): TokenUsage {
  return estimateUsage({
    promptBytes: chat.promptBytes,
    pictureTokens: estimatePictures(chat, route),
    producedBytes,
    completionTokensMax: chat.n * chat.maxTokens,
  })
}

function estimatePictures({ pictures, smallPictures }: ChatRequest, { price }: Route): number {
  const most = price.image_tokens ?? pictureTokens.high
  return (
    (pictures - smallPictures) * Math.min(most, pictureTokens.high) +
    smallPictures * Math.min(most, pictureTokens.low)
  )
}

/** Whether an answer has run past its limit for certain: the provider's own count says so, or there is too much of it. */
export function isOverrun(
  { chat, plan }: PlannedChat,
  { price }: Route,
  { usage, deliveredBytes }: { usage: TokenUsage | undefined; deliveredBytes: number },
): boolean {
  const most = chat.n * chat.maxTokens
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
            prompt_tokens: end.usage.promptTokens,
            completion_tokens: end.usage.completionTokens,
            cached_tokens: end.usage.cacheReadTokens,
            estimated: end.estimated,
            ending: end.ending,
            first_token_ms: end.firstTokenMs,
          }),
    },
  }
}
