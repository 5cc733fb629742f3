// Which word forms count as the same word: the Snowball dictionaries of PostgreSQL know it, and which words of a
// language say nothing.
import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/database/database.ts'

/** The stem of each word. Words that say nothing are left out. */
export type StemsOfWords = ReadonlyMap<string, string>

export interface Stems {
  /** The dictionary of the language that the words are in. */
  dictionaryFor(words: readonly string[]): Promise<string>
  /** By dictionary: the stems of its words. */
  stemsOf(words: ReadonlyMap<string, Iterable<string>>): Promise<ReadonlyMap<string, StemsOfWords>>
}

/** Of languages that PostgreSQL has stop words for. */
const languages =
  'danish dutch english finnish french german hungarian italian norwegian portuguese russian spanish swedish turkish'.split(
    ' ',
  )
/** For all other languages: words as they are. */
const plainDictionary = 'simple'
/** The words that a language is recognised by. */
const sampleWords = 400
/** The share of stop words in running text is a third to a half; lists of names have few of any language. */
const stopWordShareMin = 0.1
const cachedStemsMax = 200_000

export function createStems(database: Database): Stems {
  // A stop word has the stem ''. With `max`, the cache would reserve memory for all stems at once.
  const cache = new LRUCache<string, string>({ maxSize: cachedStemsMax, sizeCalculation: () => 1 })
  const keyOf = (dictionary: string, word: string) => `${dictionary} ${word}`

  return {
    async dictionaryFor(words) {
      const sample = words.slice(0, sampleWords)
      const [best] = await database.query<{ dictionary: string; count: number }>(
        `select dictionary, count(*)::int as count
         from unnest($1::text[]) dictionary, unnest($2::text[]) word
         where ts_lexize(dictionary::regdictionary, word) = '{}'
         group by dictionary order by count desc, dictionary limit 1`,
        [languages.map((language) => `${language}_stem`), sample],
      )
      return best !== undefined && best.count >= sample.length * stopWordShareMin
        ? best.dictionary
        : plainDictionary
    },
    async stemsOf(asked) {
      const pairs = [...asked].flatMap(([dictionary, words]) =>
        [...new Set(words)].map((word) => ({ dictionary, word })),
      )
      const found = new Map([...asked.keys()].map((each) => [each, new Map<string, string>()]))
      const note = (dictionary: string, word: string, stem: string) => {
        if (stem !== '') found.get(dictionary)?.set(word, stem)
      }
      const unknown = pairs.filter(({ dictionary, word }) => {
        const stem = cache.get(keyOf(dictionary, word))
        if (stem !== undefined) note(dictionary, word, stem)
        return stem === undefined
      })
      if (unknown.length === 0) return found
      const rows = await database.query<{ dictionary: string; word: string; stem: string }>(
        `select dictionary, word, coalesce((ts_lexize(dictionary::regdictionary, word))[1], '') as stem
         from unnest($1::text[], $2::text[]) asked (dictionary, word)`,
        [unknown.map(({ dictionary }) => dictionary), unknown.map(({ word }) => word)],
      )
      for (const { dictionary, word, stem } of rows) {
        cache.set(keyOf(dictionary, word), stem)
        note(dictionary, word, stem)
      }
      return found
    },
  }
}
