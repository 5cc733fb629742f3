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
  const texts = steps.map(({ params }) => JSON.stringify(params).toLowerCase())
  return said.values.filter((value) => {
    const words = saidWords(value, said)
    return ![...taken, ...texts].some((text) => saysWords(text, words))
  })
}

/** A number is not a part of another one: 5 does not stand in 48.8566. */
function saysWords(text: string, words: string): boolean {
  const isNumber = /^\d+$/.test(words)
  return isNumber
    ? new RegExp(`(?<![\\d.])${words}(?![\\d.]*\\d)`).test(text)
    : text.includes(words)
}

/** Which values stand in a text. One that is a part of another stands in it for itself. */
export function standingIn(text: string, values: readonly string[]): ReadonlySet<string> {
  const standing = new Set<string>()
  let rest = text
  for (const value of values.toSorted((one, other) => other.length - one.length)) {
    if (!rest.includes(value)) continue
    standing.add(value)
    rest = rest.replaceAll(value, ' ')
  }
  return standing
}

export const saidWords = ({ start, end }: Pick<SaidValue, 'start' | 'end'>, { text }: ReadText) =>
  text.slice(start, end).trim().toLowerCase()
