// Text above and below the line without HTML: digits and signs have characters of their own, which every reader shows.

const digits = '0123456789+-−=()'
const raised: ReadonlyMap<string, string> = new Map(
  [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'].map((character, index) => [digits[index] as string, character]),
)
const lowered: ReadonlyMap<string, string> = new Map(
  [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'].map((character, index) => [digits[index] as string, character]),
)

/** `text` is written already. Words, links and marks of ordinals stay on the line; what is left is marked as in TeX. */
export function writeScript(text: string, isRaised: boolean): string {
  const trimmed = text.trim()
  const characters = [...trimmed].map((each) => (isRaised ? raised : lowered).get(each))
  if (!characters.includes(undefined)) return characters.join('')
  if (/[[\]!`*\s$]/.test(trimmed)) return text
  if (isRaised && /^\P{N}{2,}$/u.test(trimmed)) return text
  const mark = isRaised ? '^' : '_'
  return [...trimmed].length === 1 ? mark + trimmed : `${mark}(${trimmed})`
}
