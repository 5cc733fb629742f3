// Reads a question before anything is compared: its language, identifiers and words.
import { type FoundIdentifier, findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import { gloss } from './gloss.ts'
import { type LexicalIndex, type Matches, matchQuestion } from './lexical.ts'
import { termsOf } from './words.ts'

export interface ReadQuestion {
  readonly found: readonly FoundIdentifier[]
  /** In English, without the identifiers. */
  readonly words: string
  /** The same, with misspelt words as the catalog spells them. */
  readonly corrected: string
  readonly matches: Matches
}

export function readQuestion(query: string, index: LexicalIndex): ReadQuestion {
  const { found, rest } = findIdentifiers(query, identifierPatterns)
  // Words that say nothing have no terms, and count as English.
  const isEnglish = (word: string) =>
    termsOf(word).every(({ text }) => index.postings(text).length > 0)
  const words = (gloss(rest, isEnglish) ?? rest).trim()
  return { found, words, corrected: correct(words, index), matches: matchQuestion(index, words) }
}

function correct(words: string, index: LexicalIndex): string {
  const spellings = new Map(
    index.ask(words).flatMap(({ word, meant: [first] }) => {
      const isMisspelt = first !== undefined && !first.isExact
      return isMisspelt ? [[word, first.spelling] as const] : []
    }),
  )
  return words.replaceAll(/[\p{L}\d]+/gu, (word) => spellings.get(word.toLowerCase()) ?? word)
}
