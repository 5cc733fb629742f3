// The words of an index that a misspelt word may stand for.
import type { Database } from '#platform/database/database.ts'

export interface Spelling {
  /** For each of the words that has some: the nearest words of the index, at most `nearWordsMax`. */
  nearWords(
    indexNumber: number,
    words: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

const nearWordsMax = 4
/** Shorter words resemble too many others. */
const misspeltLettersMin = 4
/** From so many letters on, two of them may be wrong. */
const twoErrorsLettersMin = 8
const misspelt = /^\p{L}{4,30}$/u

const errorsMax = (word: string) => (word.length >= twoErrorsLettersMin ? 2 : 1)

/**
 * The letters at one end of a word that are right, wherever its errors are: an error touches at most two letters, and
 * of the parts that the errors leave, one is at an end. Two errors that leave both ends wrong are not corrected.
 */
const rightLetters = (word: string) => Math.floor((word.length - 2) / (errorsMax(word) + 1))

const reverseOf = (word: string) => [...word].toReversed().join('')
/** Sorts after all words that begin with the text. */
const endOf = (start: string) => `${start}\u{10ffff}`

export function createSpelling(database: Database): Spelling {
  return {
    async nearWords(indexNumber, words) {
      const asked = words.filter((word) => word.length >= misspeltLettersMin && misspelt.test(word))
      if (asked.length === 0) return new Map()
      const starts = asked.map((word) => word.slice(0, rightLetters(word)))
      const ends = asked.map((word) => reverseOf(word).slice(0, rightLetters(word)))
      const rows = await database.query<{ asked: string; word: string }>(
        `select asked, word
         from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
           as spelled (asked, start_from, start_to, end_from, end_to, errors)
         cross join lateral (
           select word from indexed_word
             where index_number = $1 and word >= start_from and word < start_to
               and length(word) between length(asked) - errors and length(asked) + errors
           union
           select word from indexed_word
             where index_number = $1 and reverse(word) collate "C" >= end_from and reverse(word) collate "C" < end_to
               and length(word) between length(asked) - errors and length(asked) + errors) near`,
        [
          ...[indexNumber, asked, starts, starts.map(endOf), ends, ends.map(endOf)],
          asked.map(errorsMax),
        ],
      )
      const found = Map.groupBy(rows, ({ asked: word }) => word)
      return new Map(
        [...found].flatMap(([word, near]) => {
          const best = nearest(
            word,
            near.map((row) => row.word),
          )
          return best.length === 0 ? [] : [[word, best] as const]
        }),
      )
    },
  }
}

/** The words with the fewest errors: of these, those with the same first letter if there are any. */
function nearest(asked: string, words: readonly string[]): readonly string[] {
  const counted = words
    .map((word) => ({ word, errors: countErrors(asked, word) }))
    .filter(({ errors }) => errors <= errorsMax(asked))
  const fewest = Math.min(...counted.map(({ errors }) => errors))
  const best = counted.filter(({ errors }) => errors === fewest).map(({ word }) => word)
  const sameStart = best.filter((word) => word[0] === asked[0])
  return (sameStart.length > 0 ? sameStart : best).toSorted().slice(0, nearWordsMax)
}

/** Letters added, left out, changed, or swapped with a neighbour (optimal string alignment). */
function countErrors(one: string, other: string): number {
  let twoBefore: number[] = []
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const counts = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      counts[column] = Math.min(
        (before[column] ?? 0) + 1,
        (counts[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped
          ? (twoBefore[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY,
      )
    }
    twoBefore = before
    before = counts
  }
  return before[other.length] ?? 0
}
