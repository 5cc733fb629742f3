// Searches indexes. Pages are ranked by how much they are about the words of the question (BM25F), by what other pages
// say of them, by their title, and by their best passage, which is the hit.
import type { Owner } from '#core/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { quoteWord } from './fields.ts'
import type { IndexRows, SearchableIndex } from './index-rows.ts'
import {
  type AskedWord,
  type IndexQuestion,
  plainWords,
  readQuestion,
  readWords,
} from './question.ts'
import { snippetOf } from './snippet.ts'
import type { Spelling } from './spelling.ts'
import type { Stems } from './stems.ts'
import { type Token, tokensOf } from './words.ts'

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

/** The pages of an index whose passages are looked at, however few hits are asked for: so the order is the same. */
const pagesRanked = 40

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

interface FoundPassage extends BestPassage {
  readonly index: SearchableIndex
  /** The words of the question, as the index spells them. */
  readonly words: readonly string[]
}

export function createIndexSearch(dependencies: {
  readonly database: Database
  readonly rows: Pick<IndexRows, 'find' | 'all' | 'noteUse'>
  readonly stems: Stems
  readonly spelling: Spelling
}): IndexSearch {
  const { database, rows, stems } = dependencies

  async function searchOne(
    index: SearchableIndex,
    { words, phrases, plain }: IndexQuestion,
  ): Promise<readonly FoundPassage[]> {
    const read = await readWords(words, index, dependencies)
    const asked = [
      ...new Map([...read.values()].map((word) => [word.forms.join(' '), word])).values(),
    ]
    const quoted = phrases.flatMap((phrase) => phraseQuery(phrase, read) ?? [])
    const exact =
      quoted.length === 0
        ? []
        : await database.query<{ pageId: number }>(exactQuery, [
            index.number,
            [...new Set(phrases.flat().flatMap(({ word }) => read.get(word)?.forms ?? []))],
            quoted,
          ])
    const pages = await database.query<FoundPage>(pageQuery, [
      ...[index.number, index.id],
      asked.flatMap(({ forms }) => forms),
      asked.flatMap(({ forms }, at) => forms.map(() => at)),
      asked.map(({ share }) => share),
      exact.map(({ pageId }) => pageId),
      pagesRanked,
    ])
    const weights = pages[0]?.weights
    if (weights === undefined) return []
    const { text, values } = passageQuery(asked, weights, quoted)
    const best = await database.query<BestPassage>(text, [
      pages.map(({ pageId }) => pageId),
      ...values,
    ])
    const scores = new Map(pages.map(({ pageId, score }) => [pageId, score]))
    const spelled = plain.map((word) => read.get(word)?.spellings ?? [word])
    const titleScore = titleShare * sumOfWeights(weights)
    return best.map(({ score, ...passage }) => ({
      ...passage,
      index,
      words: [...read.values()].flatMap(({ spellings }) => spellings),
      score:
        (scores.get(passage.pageId) ?? 0) +
        passageShare * score +
        titleScore * likenessOf(passage.title, spelled) ** 2,
    }))
  }

  return {
    async search(owner, question, { limit, indexId }) {
      const indexes =
        indexId === undefined ? await rows.all(owner) : [await rows.find(owner, indexId)]
      if (indexes.length === 0) return undefined
      const asked = readQuestion(question)
      const found = []
      for (const index of indexes) found.push(...(await searchOne(index, asked)))
      await rows.noteUse(indexes)
      const best = found
        .toSorted((one, other) => other.score - one.score || one.pageId - other.pageId)
        .slice(0, limit)
      return await toHits(stems, best)
    },
  }
}

interface FoundPage {
  readonly pageId: number
  readonly score: number
  /** What each word of the question counts: the fewer pages have it, the more. By its number, the same in each row. */
  readonly weights: Readonly<Record<string, number>>
}

const sumOfWeights = (weights: FoundPage['weights']) =>
  Object.values(weights).reduce((sum, weight) => sum + weight, 0)

/**
 * The pages that are most about the words of a question: by what they say, and by what others say of them in lists.
 * Those of `$6` come first.
 */
const pageQuery = {
  name: 'site-index-pages',
  text: `with asked as (select * from unnest($3::text[], $4::int[]) asked (word, number)),
    own as materialized (
      select asked.number, page_id, max(impact) as impact
      from asked join indexed_posting posting on index_number = $1 and posting.word = asked.word
      group by asked.number, page_id),
    mentioned as materialized (
      select number, page.id as page_id, impact
      from (select asked.number, target, max(impact) as impact
        from asked join indexed_mention mention on index_number = $1 and mention.word = asked.word
        group by asked.number, target) said
      join indexed_page page on page.index_id = $2 and hashtextextended(rtrim(page.url, '/'), 0) = said.target),
    found as materialized (
      select number, page_id,
        1 - (1 - coalesce(own.impact, 0) / 1000::float8) * (1 - coalesce(mentioned.impact, 0) / 1000::float8) as impact
      from own full join mentioned using (number, page_id)),
    weighted as materialized (
      select number,
        ($5::float8[])[number + 1] * ln(1 + (pages - count(*) + 0.5::float8) / (count(*) + 0.5::float8)) as weight
      from found, (select count(*) as pages from indexed_page where index_id = $2) counted
      group by number, pages)
    select page_id as "pageId", sum(impact * weight) as score,
      (select json_object_agg(number, weight) from weighted) as weights
    from found join weighted using (number)
    group by page_id order by page_id = any($6::bigint[]) desc, score desc, page_id limit $7`,
}

/** The pages that have one of the phrases `$3`, whose words are `$2`. */
const exactQuery = `select distinct page_id as "pageId" from indexed_passage
  where page_id in (select page_id from indexed_posting where index_number = $1 and word = any($2::text[]))
    and search @@ any($3::tsquery[])`

/** The words of a phrase at the distances at which they are quoted. Undefined if there are not two that count. */
function phraseQuery(
  phrase: readonly Token[],
  read: ReadonlyMap<string, AskedWord>,
): string | undefined {
  const parts = phrase.flatMap(({ word, place }) => {
    const forms = read.get(word)?.forms ?? []
    return forms.length === 0 ? [] : [{ place, text: `(${forms.map(quoteWord).join(' | ')})` }]
  })
  if (parts.length < 2) return undefined
  return parts
    .map(({ place, text }, at) => {
      const before = parts[at - 1]
      return before === undefined ? text : `<${place - before.place}> ${text}`
    })
    .join(' ')
}

/** What the best passage of a page adds to the score of the page. */
const passageShare = 0.7
/** What a page adds whose title is the question, of the weights of all words. */
const titleShare = 0.5
/** More than all words together can add, so that pages with a quoted phrase come first. */
const phraseShare = 4
/** D, C, B, A: what a word counts in the text, in lists of other pages, in the headings and in the title. */
const fieldWeights = '{0.8, 0.2, 0.9, 1}'
/** How much the length of a passage counts, from 0 to 1, and the words of a passage of middle length. */
const lengthShare = 0.3
const middleWords = 60

/**
 * The best passage of each of the pages `$1`: by the sum of its words' weights, with less for each repetition, and by
 * the quoted phrases in it.
 */
function passageQuery(
  asked: readonly AskedWord[],
  weights: FoundPage['weights'],
  quoted: readonly string[],
) {
  const values: unknown[] = []
  const terms = asked.flatMap(({ forms }, number) => {
    const weight = weights[number]
    if (weight === undefined) return []
    return forms.map((form) => {
      values.push(quoteWord(form), weight)
      return `ts_rank('${fieldWeights}', search, $${values.length}::tsquery) * $${values.length + 1}::float8`
    })
  })
  const phrases = quoted.map((phrase) => {
    values.push(phrase, phraseShare * sumOfWeights(weights))
    return ` + (search @@ $${values.length}::tsquery)::int * $${values.length + 1}::float8`
  })
  const text = `with best as materialized (
      select distinct on (page_id) page_id, position, (${terms.join(' + ')})
        / (${1 - lengthShare}::float8 + ${lengthShare}::float8 * ln(1 + words / ${middleWords}::float8) / ln(2::float8))
        ${phrases.join('')} as score
      from indexed_passage where page_id = any($1) order by page_id, score desc, position)
    select page_id as "pageId", position, score, url, title, dictionary, indexed_at as "indexedAt", headings, anchor, text
    from best join indexed_passage using (page_id, position) join indexed_page on id = page_id`
  return { text, values }
}

/** The share of their words that a title and a question have in common. Each word has one or more spellings. */
function likenessOf(title: string, question: readonly (readonly string[])[]): number {
  const own = new Set(plainWords(tokensOf(title)))
  const asked = new Set(
    question.map((spellings) => spellings.find((each) => own.has(each)) ?? spellings[0]),
  )
  const shared = [...asked].filter((word) => word !== undefined && own.has(word)).length
  return shared / Math.max(1, own.size + asked.size - shared)
}

/** The hits, with the words of the question in them. */
async function toHits(stems: Stems, best: readonly FoundPassage[]): Promise<SearchHit[]> {
  const read = best.map((passage) => ({ ...passage, tokens: tokensOf(passage.text) }))
  const wordsBy = new Map<string, string[]>()
  for (const { dictionary, tokens, words } of read) {
    const own = wordsBy.get(dictionary) ?? []
    own.push(...words, ...tokens.map(({ word }) => word))
    wordsBy.set(dictionary, own)
  }
  const stemsBy = await stems.stemsOf(wordsBy)
  return read.map(({ index, pageId: _, anchor, dictionary, tokens, words, ...passage }) => {
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
