// What the model reads of a question: its words, and signs of what it is about.
import { charactersReadMax, gramsOfText } from '#core/classifier/grams.ts'
import { readIdentifiers } from './identifiers.ts'
import { signsOf } from './signs.ts'
import { isRecent } from './slots.ts'

/** The grams of a question with their strengths, as a vector of length 1. */
export function gramsOf(question: string): ReadonlyMap<string, number> {
  const text = question.slice(0, charactersReadMax)
  const kinds = readIdentifiers(text).found.map(({ kind }) => kind)
  return gramsOfText(text, [...signsOf(text), ...kinds, ...(isRecent(text) ? ['recent'] : [])])
}
