// Which word forms count as the same word: the Snowball dictionaries of PostgreSQL know it, and which words of a language say nothing.
import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/database/database.ts'

export interface Stems {
  /** The dictionary of the language that the words are in. */
  dictionaryFor(words: readonly string[]): Promise<string>
  /** The words without those that say nothing in the language that they seem to be in, one of these. */
  tellingWords(dictionaries: readonly string[], words: readonly string[]): Promise<string[]>
  /** The stem of each word. Words that say nothing are left out. */
  stemsOf(dictionary: string, words: Iterable<string>): Promise<ReadonlyMap<string, string>>
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
const cachedStemsMax = 100_000

export function createStems(database: Database): Stems {
  // A stop word has the stem ''.
  const known = new LRUCache<string, string>({ max: cachedStemsMax })

  const stems: Stems = {
    async tellingWords(dictionaries, words) {
      const left = await Promise.all(
        dictionaries.map(async (dictionary) => {
          const known = await stems.stemsOf(dictionary, words)
          return words.filter((word) => known.has(word))
        }),
      )
      return left.toSorted((one, other) => one.length - other.length)[0] ?? []
    },
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
    async stemsOf(dictionary, words) {
      const keyOf = (word: string) => `${dictionary} ${word}`
      const asked = [...new Set(words)]
      const found = new Map(asked.map((word) => [word, known.get(keyOf(word))]))
      const unknown = asked.filter((word) => found.get(word) === undefined)
      if (unknown.length > 0) {
        const rows = await database.query<{ word: string; stem: string }>(
          `select word, coalesce((ts_lexize($1::regdictionary, word))[1], '') as stem from unnest($2::text[]) word`,
          [dictionary, unknown],
        )
        for (const { word, stem } of rows) {
          known.set(keyOf(word), stem)
          found.set(word, stem)
        }
      }
      return new Map([...found].flatMap(([word, stem]) => (stem ? [[word, stem]] : [])))
    },
  }
  return stems
}
