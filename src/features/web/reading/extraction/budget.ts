// What an extraction may send to a model, so that it never costs the operator more than the caller pays.
import { worstPrice } from '#core/model-price.ts'
import type { ModelOffer } from '#core/model-router.ts'

const completionTokensMax = 6_000
const completionTokensMin = 400
const promptBytesMax = 200_000
const promptBytesMin = 3_000
/** An answer that is not right is asked for once more, where the price pays for two. */
const attemptsMax = 2
const modelsMax = 4
/** What roles and templates add to a prompt, in tokens, at the most. */
const overheadTokens = 128

export interface ExtractionBudget extends ModelOffer {
  readonly attempts: number
  /** Bytes of everything that is sent: no tokenizer makes more tokens of a text than it has bytes. */
  readonly promptBytes: number
  readonly completionTokens: number
}

/** The models that can do it for that much, best first; none where all of them are too dear. */
export function budgetsWithin(offers: readonly ModelOffer[], micros: number): ExtractionBudget[] {
  return offers.flatMap((offer) => budgetWithin(offer, micros) ?? []).slice(0, modelsMax)
}

function budgetWithin({ model, price }: ModelOffer, micros: number): ExtractionBudget | undefined {
  for (let attempts = attemptsMax; attempts >= 1; attempts -= 1) {
    const share = micros / attempts
    const fits = (promptBytes: number, completionTokens: number, within: number) =>
      worstPrice(price, {
        promptTokensMax: promptBytes === 0 ? 0 : promptBytes + overheadTokens,
        completionTokensMax: completionTokens,
      }) <= within
    const completionTokens = largest(completionTokensMax, (tokens) => fits(0, tokens, share / 2))
    const context = price.context ?? Number.POSITIVE_INFINITY
    const promptBytes = largest(
      Math.min(promptBytesMax, context - completionTokens - overheadTokens),
      (bytes) => fits(bytes, completionTokens, share),
    )
    if (completionTokens >= completionTokensMin && promptBytes >= promptBytesMin)
      return { model, price, attempts, promptBytes, completionTokens }
  }
  return undefined
}

/** The largest whole number up to `most` that fits; 0 where none does. */
function largest(most: number, fits: (value: number) => boolean): number {
  let [low, high] = [0, Math.max(0, Math.floor(most))]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
