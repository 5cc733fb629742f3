// Models that think before they answer. Most vendors bill thoughts as output, and some of them beyond the request's
// limit of tokens, so a price needs room for them.
import type { ModelPrice } from '../model-price.ts'

/** Model families that think unless the request says otherwise. */
const families = [
  /^openai\/(o\d|gpt-5(?!.*chat)|gpt-oss)/,
  /^google\/gemini-(2\.5-pro|[3-9])/,
  /^x-ai\/grok-(3-mini|[4-9](?!.*non-reasoning)|code)/,
  /^z-ai\/glm-(4\.[5-9]|[5-9])/,
  /^(deepseek\/deepseek-(v4|r\d)|minimax\/minimax-m|mistralai\/magistral|stepfun|xiaomi\/mimo)/,
  /thinking|reason(?!.*non-)|[/-]r1\b|qwq/,
]
const quick: ReadonlySet<unknown> = new Set(['none', 'minimal'])
/** No vendor documents longer thoughts. Some give their whole context as the limit of an answer. */
const outputTokensMax = 131_072

/** The fields of a request that ask for thoughts or against them. */
export interface ThinkingFields {
  readonly reasoning_effort?: unknown
  readonly reasoning?: {
    readonly effort?: unknown
    readonly enabled?: unknown
    readonly max_tokens?: unknown
  }
}

/** Whether a model is expected to think. What its price says about it wins over its name. */
export function thinks(
  slug: string,
  { reasoning_effort, reasoning = {} }: ThinkingFields,
  isKnownTo?: boolean | undefined,
): boolean {
  if (isKnownTo === false) return false
  const effort = reasoning_effort ?? reasoning.effort
  if (effort !== undefined) return !quick.has(effort)
  const { enabled, max_tokens: budget } = reasoning
  if (enabled !== undefined || budget !== undefined) return enabled !== false
  return isKnownTo === true || families.some((family) => family.test(slug))
}

/** Model families that think if they are asked to. */
const onRequest =
  /^(anthropic\/claude-(?!2|3-(?!7)|3\.[0-6]|instant)|google\/gemini-2\.5|qwen\/qwen3|moonshotai\/kimi-k2|deepseek\/)/

/** Whether a model may be asked to think. Others refuse the field. */
export const mayThink = (slug: string, isKnownTo?: boolean | undefined): boolean =>
  thinks(slug, {}, isKnownTo) || onRequest.test(slug)

/** The most tokens that an answer of a model can have, thoughts included, regardless of the limit in the request. */
export function roomOf({ output, context }: Pick<ModelPrice, 'output' | 'context'>): number {
  return Math.min(output ?? context ?? outputTokensMax, outputTokensMax)
}
