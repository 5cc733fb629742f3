// How well the wording of each document agrees with the question. It is a vote beside those of the sources, because a
// source may put a page first that shares one word with the question.
import { wordsOf } from './words.ts'

/**
 * The rank of each text by the share of the question's words in it; rare words count more. Equal texts share a rank.
 */
export function rankByWording(question: string, texts: readonly string[]): number[] {
  const asked = stemsOf(question)
  const documents = texts.map(stemsOf)
  const rarity = new Map(
    [...asked].map((word) => {
      const having = documents.filter((words) => words.has(word)).length
      return [word, Math.log(1 + texts.length / (1 + having))] as const
    }),
  )
  const scores = documents.map((words) =>
    [...rarity].reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0),
  )
  return scores.map((score) => 1 + scores.filter((other) => other > score).length)
}

/** They say what kind of page is asked for, and nothing about its subject. */
const kinds: ReadonlySet<string> = new Set(
  'doc documentation reference manual guide tutorial handbook'.split(' '),
)

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .map((word) => word.replace(/['’]s$/, '').replace(/(?<=\p{L}{3})s$|(?<=^doc)s$/u, ''))
      .filter((word) => !kinds.has(word)),
  )
