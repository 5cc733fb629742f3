// How many tokens a call is charged for: the provider's count, or an estimate from the delivered bytes.

import { membersOf } from '#core/input/members.ts'
import type { TokenUsage } from '#core/model-price.ts'

/** Higher counts are ignored as errors. */
const tokensMax = 100_000_000
/** Nearly all text has fewer bytes per token, so the estimate favours the caller. */
const bytesPerTokenEstimated = 6

/** Reads the `usage` of a reply in the common format. Undefined if it is absent or invalid. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const told = membersOf(usage)
  const { prompt_tokens, completion_tokens } = told
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined
  const prompt = membersOf(told.prompt_tokens_details)
  // DeepSeek and Moonshot give the count beside the details, and some gateways give it twice.
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
 * Some vendors (xAI, Google) bill reasoning as output but leave it out of `completion_tokens`; only the total includes
 * it. If they give the reasoning tokens, the rest of the total does not count.
 */
function uncountedThoughts(
  { total_tokens, completion_tokens_details }: Record<string, unknown>,
  promptTokens: number,
  completionTokens: number,
): number {
  if (!isCount(total_tokens)) return 0
  const uncounted = Math.max(0, total_tokens - promptTokens - completionTokens)
  const { reasoning_tokens } = membersOf(completion_tokens_details)
  return isCount(reasoning_tokens) ? Math.min(uncounted, reasoning_tokens) : uncounted
}

/** Tokens that a vendor reports as thoughts, whether or not its count of the completion includes them. */
export function readThoughts(told: Readonly<Record<string, unknown>>): number {
  const { prompt_tokens, completion_tokens, total_tokens, completion_tokens_details } = told
  const { reasoning_tokens } = membersOf(completion_tokens_details)
  if (isCount(reasoning_tokens)) return reasoning_tokens
  return isCount(prompt_tokens) && isCount(completion_tokens) && isCount(total_tokens)
    ? Math.max(0, total_tokens - prompt_tokens - completion_tokens)
    : 0
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= tokensMax
}

/**
 * The charge of a call without counts: bytes sent and produced at six to a token, rounded down, and tokens of pictures.
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

/**
 * What a provider has counted, with an estimate of what it has not: some give zeros for a prompt and an answer that are
 * not empty.
 */
export function completeUsage(
  told: TokenUsage | undefined,
  estimate: TokenUsage,
  producedBytes: number,
): { readonly usage: TokenUsage; readonly isCounted: boolean } {
  if (told === undefined) return { usage: estimate, isCounted: false }
  const lacksPrompt = told.promptTokens === 0 && estimate.promptTokens > 0
  const lacksCompletion = told.completionTokens === 0 && producedBytes > 0
  const usage = {
    ...told,
    ...(lacksPrompt ? { promptTokens: estimate.promptTokens } : {}),
    ...(lacksCompletion ? { completionTokens: estimate.completionTokens } : {}),
  }
  return { usage, isCounted: !lacksPrompt && !lacksCompletion }
}

/** The `usage` for the caller: with the charge in dollars, without the operator's cost. */
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
