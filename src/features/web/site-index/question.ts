// What a query asks an index for: its words as the index has them, and the phrases that it quotes.
import type { Database } from '#platform/database/database.ts'
import type { SearchableIndex } from './index-rows.ts'
import type { Spelling } from './spelling.ts'
import type { Stems } from './stems.ts'
import { type Token, tokensOf } from './words.ts'

export interface IndexQuestion {
  /** Each once, in the order in which they are asked. */
  readonly words: readonly string[]
  /** Lists the words of each quoted phrase with their places. */
  readonly phrases: readonly (readonly Token[])[]
  /** The words without the whole names beside their parts. */
  readonly plain: readonly string[]
}

/** A word of a question. */
export interface AskedWord {
  /** As it is asked, or as the index spells it. */
  readonly spellings: readonly string[]
  /** In the index, by the dictionaries of its pages. */
  readonly forms: readonly string[]
  /** What it counts beside other words: less than 1 if it is taken for a misspelt one. */
  readonly share: number
}

/** Words of a question that count. */
const questionWordsMax = 24
const phrasesMax = 5
const correctedShare = 0.8
const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu

export function readQuestion(query: string): IndexQuestion {
  const tokens = tokensOf(query)
  const phrases = [...query.matchAll(quoted)]
    .map((match) => partsIn(tokensOf(match.slice(1).join(''))))
    .filter((parts) => parts.length > 1)
  return {
    words: [...new Set(tokens.map(({ word }) => word))].slice(0, questionWordsMax),
    phrases: phrases.slice(0, phrasesMax),
    plain: plainWords(tokens),
  }
}

/** The words in order, without whole names, which stand at the place of their first part. */
const partsIn = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(({ place }, at) => place > (tokens[at - 1]?.place ?? 0))

export const plainWords = (tokens: readonly Token[]): readonly string[] =>
  partsIn(tokens).map(({ word }) => word)

/**
 * The words that count in the language that they seem to be in. A word that the index does not have is taken for the
 * words of the index that resemble it most.
 */
export async function readWords(
  words: readonly string[],
  { dictionaries, number }: SearchableIndex,
  parts: { readonly database: Database; readonly stems: Stems; readonly spelling: Spelling },
): Promise<ReadonlyMap<string, AskedWord>> {
  const { database, stems, spelling } = parts
  const { counts, formsOf } = await formsIn(stems, dictionaries, words)
  const asked = words.filter(counts)
  const rows = await database.query<{ form: string }>(formsQuery, [number, asked.flatMap(formsOf)])
  const known = new Set(rows.map(({ form }) => form))
  const unknown = asked.filter((word) => !formsOf(word).some((form) => known.has(form)))
  const near = await spelling.nearWords(number, unknown)
  const corrected = await formsIn(stems, dictionaries, [...near.values()].flat())
  return new Map(
    asked.map((word) => {
      const spellings = near.get(word)
      return spellings === undefined
        ? [word, { spellings: [word], forms: formsOf(word), share: 1 }]
        : [word, { spellings, forms: spellings.flatMap(corrected.formsOf), share: correctedShare }]
    }),
  )
}

/** Which of these stems the pages of an index have. */
const formsQuery = {
  name: 'site-index-forms',
  text: `select form from unnest($2::text[]) form
    where exists (select from indexed_posting where index_number = $1 and word = form)`,
}

async function formsIn(stems: Stems, dictionaries: readonly string[], words: readonly string[]) {
  const byDictionary = await stems.stemsOf(new Map(dictionaries.map((each) => [each, words])))
  const known = [...byDictionary.values()].toSorted((one, other) => one.size - other.size)
  return {
    /** Whether a word says something in the language that knows most of these words as its stop words. */
    counts: (word: string) => known[0]?.has(word) === true,
    formsOf: (word: string) => [...new Set(known.flatMap((stemOf) => stemOf.get(word) ?? []))],
  }
}
