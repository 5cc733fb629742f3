// How many tokens a call is charged for: what the provider counted, or, where it did not say, what was delivered.
import type { TokenUsage } from '#core/model-price.ts'

/** No count beyond this is believed. */
const tokensMax = 100_000_000
/** Text has more bytes per token than nearly all that is written, so an estimate is in the caller's favour. */
const bytesPerTokenEstimated = 6

/** Reads the `usage` of a reply in the common format. Undefined where it is absent or makes no sense: 0 is a count. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const told = usage as Record<string, unknown>
  const { prompt_tokens, completion_tokens } = told
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined
  const prompt = detailsOf(told.prompt_tokens_details)
  // DeepSeek and Moonshot say it beside the details, and some gateways say it twice.
  const cached = [prompt.cached_tokens, told.prompt_cache_hit_tokens, told.cached_tokens]
  const cacheReadTokens = Math.min(Math.max(0, ...cached.filter(isCount)), prompt_tokens)
  const { cache_write_tokens } = prompt
  const cacheWriteTokens = isCount(cache_write_tokens)
    ? Math.min(cache_write_tokens, prompt_tokens - cacheReadTokens)
    : 0
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens + uncountedThoughts(told, prompt_tokens, completion_tokens),
    cacheReadTokens,
    cacheWriteTokens,
  }
}

/**
 * Some vendors (xAI, Google) bill what a model thought as output and leave it out of `completion_tokens`: the total
 * shows it. Where they say how much it was, nothing else in the total counts.
 */
function uncountedThoughts(
  { total_tokens, completion_tokens_details }: Record<string, unknown>,
  promptTokens: number,
  completionTokens: number,
): number {
  if (!isCount(total_tokens)) return 0
  const uncounted = Math.max(0, total_tokens - promptTokens - completionTokens)
  const { reasoning_tokens } = detailsOf(completion_tokens_details)
  return isCount(reasoning_tokens) ? Math.min(uncounted, reasoning_tokens) : uncounted
}

function detailsOf(details: unknown): Record<string, unknown> {
  return typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= tokensMax
}

/**
 * What a call without counts is charged for: the bytes sent and the bytes produced, six to a token and rounded down, and
 * the tokens of its pictures.
 */
export function estimateUsage(of: {
  promptBytes: number
  pictureTokens: number
  producedBytes: number
  completionTokensMax: number
}): TokenUsage {
  return {
    promptTokens: Math.floor(of.promptBytes / bytesPerTokenEstimated) + of.pictureTokens,
    completionTokens: Math.min(
      Math.floor(of.producedBytes / bytesPerTokenEstimated),
      of.completionTokensMax,
    ),
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
