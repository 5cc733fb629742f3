// Which actions do the same, by their texts.
import { inTurns } from '#platform/in-turns.ts'
import type { LexicalIndex } from './lexical.ts'
import { fieldNames } from './texts.ts'

/** Of the cosine of two actions' texts: from here on they share one hit. */
const alikeMin = 0.5
/** These fields tell what an action is for. */
const telling = ['name', 'summary', 'synonym'] as const

const termsPerTurn = 2_000

export async function createLikeness(
  index: LexicalIndex,
): Promise<(one: number, other: number) => boolean> {
  const columns = telling.map((name) => fieldNames.indexOf(name))
  const terms = index.ids.map(() => new Map<string, number>())
  await inTurns(index.terms, termsPerTurn, (term) => {
    const rarity = index.rarity(term)
    for (const { document, counts } of index.postings(term)) {
      const count = columns.reduce((sum, column) => sum + (counts[column] ?? 0), 0)
      if (count > 0) terms[document]?.set(term, Math.sqrt(count) * rarity)
    }
  })
  const lengths = terms.map((own) => Math.hypot(...own.values()))
  return (one, other) => {
    const theirs = terms[other] ?? new Map()
    let sum = 0
    for (const [term, weight] of terms[one] ?? []) sum += weight * (theirs.get(term) ?? 0)
    return sum >= alikeMin * (lengths[one] ?? 0) * (lengths[other] ?? 0) && sum > 0
  }
}
