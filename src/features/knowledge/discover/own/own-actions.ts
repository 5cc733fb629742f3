// Actions of one account, which the index of everyone's actions does not have. They are few, and found by their words.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Ranked } from '../rank.ts'
import { termsOf } from '../words.ts'

const ownHitsMax = 3
/** Of the words of the question. */
const sharedMin = 0.5

export function findOwn(entries: readonly CatalogEntry[], query: string): readonly Ranked[] {
  const asked = [...new Set(wordsOf(query))]
  if (entries.length === 0 || asked.length === 0) return []
  return entries
    .map((entry) => {
      const { name, summary, notes = '' } = entry.action
      const said = new Set(wordsOf(`${name.replaceAll(/[-_]/g, ' ')} ${summary} ${notes}`))
      const words = asked.filter((word) => said.has(word))
      return { entry, words, share: words.length / asked.length }
    })
    .filter(({ share }) => share >= sharedMin)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, ownHitsMax)
    .map(({ entry, words, share }) => ({
      entry,
      words,
      alternatives: [],
      otherWords: asked.filter((word) => !words.includes(word)),
      confidence: share,
      closeness: 1,
      inEnglish: query,
    }))
}

const wordsOf = (text: string) => termsOf(text).map((term) => term.text)
