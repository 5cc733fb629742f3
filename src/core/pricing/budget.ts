// The price of a call within a budget, of which its answer states what was spent.
import type { CappedPrice } from '../price.ts'

/**
 * Holds the budget that the caller states. Without one it holds the usual budget, or the caller's ceiling if that is
 * lower. The action may spend what is held: `maxCents` of its context.
 */
export function budgetPrice<Input>({
  leastCents,
  atMostCents,
  statedCents,
  usualCents,
}: {
  readonly leastCents: number
  readonly atMostCents: number
  readonly statedCents: (input: Input) => number | undefined
  readonly usualCents: (input: Input) => number
}): CappedPrice<Input, { readonly spent_usd: string }> {
  return {
    upToCents: (input, ceilingCents) =>
      statedCents(input) ??
      Math.max(leastCents, Math.min(atMostCents, usualCents(input), ceilingCents)),
    isBudget: true,
    atMostCents,
    settle: ({ output }) => Number(output.spent_usd) * 100,
  }
}
