// Which of many names fit what was typed.

export interface Named {
  readonly name: string
  /** What it is, in words that may be typed too. */
  readonly about?: string | undefined
}

/**
 * Those with every typed word, in any order: first names that begin with what was typed, then names in which a word
 * begins with it, then the others, each in their given order.
 */
export function matching<Thing extends Named>(typed: string, things: readonly Thing[]): Thing[] {
  const words = wordsOf(typed)
  if (words.length === 0) return [...things]
  const ranked = things.flatMap((thing) => {
    const name = wordsOf(thing.name)
    const all = [...name, ...wordsOf(thing.about ?? '')]
    if (!words.every((word) => all.some((one) => one.includes(word)))) return []
    const [first = ''] = words
    const rank = name[0]?.startsWith(first) ? 0 : name.some((one) => one.startsWith(first)) ? 1 : 2
    return [{ thing, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ thing }) => thing)
}

/** Words of letters and digits in any script, without case and accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The beginning of such an id, and not a word of few letters. */
export const isPartOfId = (typed: string): boolean =>
  /^(?=.*\d)[0-9a-f]{6,8}(-[0-9a-f]{0,12}){0,4}$/i.test(typed)

/** An id of an account or a transaction. */
export const isId = (typed: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed)
