// Which blocks to take, when each is only probably content: those whose expected F1 is the highest.

export interface Selection {
  /** 1 for each block taken. */
  readonly chosen: Uint8Array
  /** The expected F1, from 0 to 1: how sure the choice is. */
  readonly confidence: number
}

/**
 * With p a block's probability and n its words, the F1 of a set is expected to be 2·Σpn / (Σn + Σ of all pn), sums over
 * the set. The best set is a prefix of the blocks in falling order of p, so no threshold has to be chosen.
 */
export function selectByExpectedF1(
  probabilities: ArrayLike<number>,
  words: ArrayLike<number>,
): Selection {
  const count = probabilities.length
  const order = Array.from({ length: count }, (_each, index) => index).sort(
    (a, b) => (probabilities[b] as number) - (probabilities[a] as number) || a - b,
  )
  let expected = 0
  for (let index = 0; index < count; index += 1)
    expected += (probabilities[index] as number) * (words[index] as number)
  let hits = 0
  let taken = 0
  let best = 0
  let bestLength = 0
  order.forEach((block, place) => {
    hits += (probabilities[block] as number) * (words[block] as number)
    taken += words[block] as number
    const f1 = taken + expected === 0 ? 0 : (2 * hits) / (taken + expected)
    if (f1 > best) {
      best = f1
      bestLength = place + 1
    }
  })
  const chosen = new Uint8Array(count)
  for (const block of order.slice(0, bestLength)) chosen[block] = 1
  return { chosen, confidence: best }
}

/** Those at least as probable as `threshold`. The confidence is their expected F1. */
export function selectByThreshold(
  probabilities: ArrayLike<number>,
  words: ArrayLike<number>,
  threshold: number,
): Selection {
  const chosen = new Uint8Array(probabilities.length)
  let expected = 0
  let hits = 0
  let taken = 0
  for (let index = 0; index < probabilities.length; index += 1) {
    const probability = probabilities[index] as number
    const weight = words[index] as number
    expected += probability * weight
    if (probability < threshold) continue
    chosen[index] = 1
    hits += probability * weight
    taken += weight
  }
  return { chosen, confidence: taken + expected === 0 ? 0 : (2 * hits) / (taken + expected) }
}
