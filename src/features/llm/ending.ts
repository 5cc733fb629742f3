// How a call ends: what it is charged for, and what its transaction remembers.
import type { Hop } from '#core/action.ts'
import { priceOfUsage, type TokenUsage } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import type { Route } from './models.ts'
import type { Plan } from './plan.ts'
import type { ChatRequest } from './request.ts'
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
  readonly plan: Plan
}

/**
 * What a call is charged for. The provider's count, if there is one, of a call that came to its end; what was delivered,
 * if there is none or the caller left; nothing, if the provider broke off.
 */
export function endOf(
  { chat, plan }: PlannedChat,
  route: Route,
  told: {
    usage: TokenUsage | undefined
    deliveredBytes: number
    ending: End['ending']
    firstTokenMs: number | null
  },
): End {
  const { ending, firstTokenMs } = told
  const estimate = estimateUsage({ prompt: chat.promptBytes, delivered: told.deliveredBytes })
  const counted =
    ending === 'complete'
      ? told.usage
      : told.usage && { ...told.usage, completionTokens: estimate.completionTokens }
  const usage = counted ?? estimate
  const micros = Math.min(plan.worstMicros, priceOfUsage(route.price, usage))
  return {
    route,
    usage,
    estimated: counted === undefined || ending !== 'complete',
    micros: ending === 'broken' ? 0 : micros,
    ending,
    firstTokenMs,
  }
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
