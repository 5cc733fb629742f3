// Which of the values that a text says its calls take.
import type { PlanStep } from '#core/plan.ts'
import type { ReadText } from '../../../values/read-values.ts'
import type { SaidValue } from '../../../values/said-value.ts'

/** `taken`: the words that fields have taken. A value also counts if its words stand in a text of a call. */
export function leftValues(
  steps: readonly Pick<PlanStep, 'params'>[],
  taken: readonly string[],
  said: ReadText,
): readonly SaidValue[] {
  const texts = steps.map(({ params }) => JSON.stringify(params).toLowerCase()).join(' ')
  return said.values.filter((value) => {
    const words = saidWords(value, said)
    return !taken.some((one) => one.includes(words)) && !texts.includes(words)
  })
}

export const saidWords = ({ start, end }: Pick<SaidValue, 'start' | 'end'>, { text }: ReadText) =>
  text.slice(start, end).trim().toLowerCase()
