/** Longer texts are judged by their beginning. */
const charactersMax = 200_000

/** A count over a text, or, for a long one, over its beginning and in proportion. */
export function countInProportion(text: string, count: (part: string) => number): number {
  if (text.length <= charactersMax) return count(text)
  return Math.round((count(text.slice(0, charactersMax)) * text.length) / charactersMax)
}
