// Searches indexes. Pages are ranked by how much they are about the words of the question (BM25F), and then by their
// best passage, which is the hit.
import type { Owner } from '#core/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { quoteWord } from './fields.ts'
import type { IndexRows, SearchableIndex } from './index-rows.ts'
import { snippetOf } from './snippet.ts'
import type { Stems } from './stems.ts'
import { tokensOf } from './words.ts'

export interface SearchHit {
  readonly indexId: string
  readonly url: string
  /** The address with the anchor of the passage. */
  readonly passageUrl: string
  readonly title: string
  readonly headings: readonly string[]
  /** Of the passage in its page, from 0. */
  readonly position: number
  readonly text: string
  readonly snippet: string
  /** The words of the snippet that the question asks for, as they are written there. */
  readonly matchedWords: readonly string[]
  /** Comparable within one answer. */
  readonly score: number
  readonly indexedAt: Date
}

export interface IndexSearch {
  /**
   * The best passage of each of the best pages, best first. Without `indexId` in all indexes of the owner, and
   * undefined if there are none. Throws `not_found` for an index of another owner.
   */
  search(
    owner: Owner,
    question: string,
    options: { readonly limit: number; readonly indexId?: string | undefined },
  ): Promise<readonly SearchHit[] | undefined>
}

/** Words of a question that count. */
const questionWordsMax = 24
/** The pages of one index whose passages are looked at, for each hit that is asked for. */
const pagesPerHit = 3

/** A word of the question: its forms in the index, by the dictionaries of its pages. */
type AskedWord = readonly string[]

/** The best passage of a page. */
interface BestPassage
  extends Pick<
    SearchHit,
    'url' | 'title' | 'headings' | 'position' | 'text' | 'score' | 'indexedAt'
  > {
  readonly pageId: number
  readonly dictionary: string
  readonly anchor: string | null
}

export function createIndexSearch(dependencies: {
  readonly database: Database
  readonly rows: Pick<IndexRows, 'find' | 'all' | 'noteUse'>
  readonly stems: Stems
}): IndexSearch {
  const { database, rows, stems } = dependencies

  /**
   * In the language that the question seems to be in, whose stop words are left out, each word with its forms in the
   * index.
   */
  async function askedWords({ dictionaries }: SearchableIndex, words: readonly string[]) {
    const byDictionary = await stems.stemsOf(new Map(dictionaries.map((each) => [each, words])))
    const known = [...byDictionary.values()].toSorted((one, other) => one.size - other.size)
    const asked = words
      .filter((word) => known[0]?.has(word))
      .map((word): AskedWord => [...new Set(known.flatMap((stemOf) => stemOf.get(word) ?? []))])
    return [...new Map(asked.map((forms) => [forms.join(' '), forms])).values()]
  }

  async function searchOne(index: SearchableIndex, written: readonly string[], limit: number) {
    const asked = await askedWords(index, written)
    const pages = await database.query<FoundPage>(pageQuery, [
      ...[index.number, index.id, asked.flat(), asked.flatMap((forms, at) => forms.map(() => at))],
      limit * pagesPerHit,
    ])
    const weights = pages[0]?.weights
    if (weights === undefined) return []
    const { text, values } = passageQuery(asked, weights)
    const best = await database.query<BestPassage>(text, [
      pages.map(({ pageId }) => pageId),
      ...values,
    ])
    const scores = new Map(pages.map(({ pageId, score }) => [pageId, score]))
    return best.map(({ score, ...passage }) => ({
      ...passage,
      index,
      score: (scores.get(passage.pageId) ?? 0) + passageShare * score,
    }))
  }

  return {
    async search(owner, question, { limit, indexId }) {
      const indexes =
        indexId === undefined ? await rows.all(owner) : [await rows.find(owner, indexId)]
      if (indexes.length === 0) return undefined
      const words = [...new Set(tokensOf(question).map(({ word }) => word))].slice(
        0,
        questionWordsMax,
      )
      const found = []
      for (const index of indexes) found.push(...(await searchOne(index, words, limit)))
      await rows.noteUse(indexes)
      const best = found
        .toSorted((one, other) => other.score - one.score || one.pageId - other.pageId)
        .slice(0, limit)
      return await toHits(stems, best, words)
    },
  }
}

interface FoundPage {
  readonly pageId: number
  readonly score: number
  /** What each word of the question counts: the fewer pages have it, the more. By its number, the same in each row. */
  readonly weights: Readonly<Record<string, number>>
}

/** The pages that are most about the words of a question. */
const pageQuery = {
  name: 'site-index-pages',
  text: `with found as materialized (
      select asked.number, page_id, max(impact) as impact
      from unnest($3::text[], $4::int[]) asked (word, number)
      join indexed_posting posting on index_number = $1 and posting.word = asked.word
      group by asked.number, page_id),
    weighted as materialized (
      select number, ln(1 + (pages - count(*) + 0.5::float8) / (count(*) + 0.5::float8)) as weight
      from found, (select count(*) as pages from indexed_page where index_id = $2) counted
      group by number, pages)
    select page_id as "pageId", sum(impact * weight) / 1000 as score,
      (select json_object_agg(number, weight) from weighted) as weights
    from found join weighted using (number) group by page_id order by score desc, page_id limit $5`,
}

/** What the best passage of a page adds to the score of the page. */
const passageShare = 0.7
/** D, C, B, A: what a word counts in the text, the address, the headings and the title of a passage. */
const fieldWeights = '{0.8, 0.7, 0.9, 1}'
/** How much the length of a passage counts, from 0 to 1, and the words of a passage of middle length. */
const lengthShare = 0.3
const middleWords = 60

/** The best passage of each of the pages `$1`: by the sum of its words' weights, with less for each repetition. */
function passageQuery(asked: readonly AskedWord[], weights: FoundPage['weights']) {
  const values: unknown[] = []
  const terms = asked.flatMap((forms, number) => {
    const weight = weights[number]
    if (weight === undefined) return []
    return forms.map((form) => {
      values.push(quoteWord(form), weight)
      return `ts_rank('${fieldWeights}', search, $${values.length}::tsquery) * $${values.length + 1}::float8`
    })
  })
  const text = `with best as materialized (
      select distinct on (page_id) page_id, position, (${terms.join(' + ')})
        / (${1 - lengthShare}::float8 + ${lengthShare}::float8 * ln(1 + words / ${middleWords}::float8) / ln(2::float8)) as score
      from indexed_passage where page_id = any($1) order by page_id, score desc, position)
    select page_id as "pageId", position, score, url, title, dictionary, indexed_at as "indexedAt", headings, anchor, text
    from best join indexed_passage using (page_id, position) join indexed_page on id = page_id`
  return { text, values }
}

/** The hits, with the words of the question in them. */
async function toHits(
  stems: Stems,
  best: readonly (BestPassage & { readonly index: SearchableIndex })[],
  words: readonly string[],
): Promise<SearchHit[]> {
  const read = best.map((passage) => ({ ...passage, tokens: tokensOf(passage.text) }))
  const wordsBy = new Map<string, string[]>()
  for (const { dictionary, tokens } of read) {
    const own = wordsBy.get(dictionary) ?? [...words]
    own.push(...tokens.map(({ word }) => word))
    wordsBy.set(dictionary, own)
  }
  const stemsBy = await stems.stemsOf(wordsBy)
  return read.map(({ index, pageId: _, anchor, dictionary, tokens, ...passage }) => {
    const stemOf = stemsBy.get(dictionary)
    const wanted = new Set(words.map((word) => stemOf?.get(word)))
    const isMatch = (word: string) => stemOf?.has(word) === true && wanted.has(stemOf.get(word))
    return {
      indexId: index.id,
      ...passage,
      passageUrl: anchor === null ? passage.url : withAnchor(passage.url, anchor),
      ...snippetOf(passage.text, tokens, isMatch),
    }
  })
}

function withAnchor(written: string, anchor: string): string {
  const url = new URL(written)
  url.hash = anchor
  return url.href
}
