// How many tokens a call is charged for: what the provider counted, or, where it did not say, what was delivered.
import type { TokenUsage } from '#core/model-price.ts'

/** No count beyond this is believed. */
const tokensMax = 100_000_000
/** Text has more bytes per token than nearly all that is written, so an estimate is in the caller's favour. */
const bytesPerTokenEstimated = 6

/** Reads the `usage` of a reply in the common format. Undefined where it is absent or makes no sense: 0 is a count. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as Record<
    string,
    unknown
  >
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined
  const { cached_tokens = 0, cache_write_tokens = 0 } = (prompt_tokens_details ?? {}) as Record<
    string,
    unknown
  >
  const cacheReadTokens = isCount(cached_tokens) ? Math.min(cached_tokens, prompt_tokens) : 0
  const cacheWriteTokens = isCount(cache_write_tokens)
    ? Math.min(cache_write_tokens, prompt_tokens - cacheReadTokens)
    : 0
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    cacheReadTokens,
    cacheWriteTokens,
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= tokensMax
}

/** What a call without counts is charged for: the bytes sent and the bytes delivered, six to a token, rounded down. */
export function estimateUsage(bytes: { prompt: number; delivered: number }): TokenUsage {
  return {
    promptTokens: Math.floor(bytes.prompt / bytesPerTokenEstimated),
    completionTokens: Math.floor(bytes.delivered / bytesPerTokenEstimated),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  }
}

/** The `usage` that the caller reads: with what the call cost, in dollars, and without what it cost the operator. */
export function describeUsage(
  usage: TokenUsage,
  options: { fields: Readonly<Record<string, unknown>>; micros: number; estimated: boolean },
): object {
  const { cost: _cost, cost_details: _details, is_byok: _byok, ...fields } = options.fields
  return {
    ...fields,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    cost: options.micros / 1_000_000,
    ...(options.estimated ? { estimated: true } : {}),
  }
}
