// Shared by the direct model actions: the highest cost of a call, which never exceeds a dollar.
import { fail } from '#core/errors.ts'
import { type ModelPrice, priceOfUsage, type TokenUsage, worstPrice } from '#core/model-price.ts'
import { centsToMicros } from '#core/money.ts'
import { roomOf, thinks } from '#core/pricing/thinking.ts'

/** Source: spec, "Direct vendor model actions". */
export const callCentsMax = 100
/** The terms of an action that asks a vendor's model and waits for the complete answer. */
export const modelTerms = { pay: ['mpp'], inference: true, timeoutMs: 300_000 } as const
export const maxTokensMax = 16_384
const maxTokensDefault = 4_096
const callMicrosMax = centsToMicros(callCentsMax)
const microsPerCent = centsToMicros(1)
/** The most tokens that roles and templates add to a prompt. */
const overheadTokens = 64
const overheadTokensPerMessage = 8

export interface ModelCall {
  /** The text of the prompt. No tokenizer makes more tokens of it than it has bytes. */
  readonly prompt: unknown
  readonly messages: number
  /** The caller's limit. */
  readonly maxTokens: number | undefined
  /** The model, where its upstream may bill thoughts beyond that limit. */
  readonly unboundedModel?: string
}

/** The token limit to send: the caller's or the default, or less if a dollar pays for fewer tokens. */
export function fitMaxTokens(price: ModelPrice, call: ModelCall): number {
  const affordable = affordableTokens(price, call)
  if (affordable >= (call.maxTokens ?? 1)) {
    return call.maxTokens ?? Math.min(maxTokensDefault, affordable)
  }
  throw fail('max_cost_exceeded', {
    message:
      affordable > 0
        ? `This call could cost more than the dollar that one call may. Send max_tokens of ${affordable} or less.`
        : 'The messages alone could cost more than the dollar that one call may. Send less.',
    data: { max_tokens: affordable },
  })
}

function affordableTokens(price: ModelPrice, call: ModelCall): number {
  const cost = (completionTokensMax: number) =>
    worstPrice(price, { promptTokensMax: promptTokensMax(call), completionTokensMax })
  if (cost(0) > callMicrosMax) return 0
  const perToken = worstPrice(price, { promptTokensMax: 0, completionTokensMax: 1_000_000 }) / 1e6
  const dearest = Math.max(perToken, ...(price.long_context ?? []).map((r) => r.completion / 1e6))
  if (dearest === 0) return maxTokensMax
  return Math.min(maxTokensMax, Math.floor((callMicrosMax - cost(0)) / dearest))
}

function promptTokensMax({ prompt, messages }: ModelCall): number {
  return (
    Buffer.byteLength(JSON.stringify(prompt)) + overheadTokens + overheadTokensPerMessage * messages
  )
}

/** The most that a call can cost, in cents. */
export function worstCents(price: ModelPrice, call: ModelCall): number {
  const maxTokens = fitMaxTokens(price, call)
  const { unboundedModel: slug } = call
  const mayExceed = slug !== undefined && thinks(slug, {}, price.thinks)
  const completionTokensMax = mayExceed ? Math.max(maxTokens, roomOf(price)) : maxTokens
  const worst = worstPrice(price, { promptTokensMax: promptTokensMax(call), completionTokensMax })
  return Math.min(worst, callMicrosMax) / microsPerCent
}

export function usedCents(price: ModelPrice, usage: TokenUsage): number {
  return priceOfUsage(price, usage) / microsPerCent
}
