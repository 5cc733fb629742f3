// What a search of an index is compared with: PostgreSQL full text by itself, SQLite FTS5, and MiniSearch, over the
// same passages or pages.
import { DatabaseSync } from 'node:sqlite'
import type { Passage } from '@tollway/reader'
import MiniSearch from 'minisearch'
import type { Database } from '#platform/database/database.ts'
import type { DocumentationPage } from './documentation-pages.ts'

export interface PassagesOfPage {
  readonly url: string
  readonly title: string
  readonly passages: readonly Passage[]
}

/** The addresses of the best pages for a question. */
export type PageSearch = (question: string, limit: number) => Promise<readonly string[]>

/**
 * Title, headings and text with PostgreSQL's own weights, ranked by `ts_rank`; the best passage counts for its page.
 */
export async function openFullText(
  database: Database,
  pages: readonly PassagesOfPage[],
): Promise<{ readonly allWords: PageSearch; readonly anyWord: PageSearch }> {
  await database.query(
    'create table if not exists full_text_baseline (url text not null, search tsvector not null)',
  )
  await database.query('truncate full_text_baseline')
  for (const { url, title, passages } of pages)
    await database.query(
      `insert into full_text_baseline
       select $1, setweight(to_tsvector('english', $2), 'A') || setweight(to_tsvector('english', row->>'headings'), 'B')
         || to_tsvector('english', row->>'text')
       from jsonb_array_elements($3::jsonb) row`,
      [url, title, JSON.stringify(passages.map(toRow))],
    )
  await database.query(
    'create index if not exists full_text_baseline_search on full_text_baseline using gin (search)',
  )
  await database.query('analyze full_text_baseline')
  const searchBy =
    (query: string): PageSearch =>
    async (question, limit) => {
      const rows = await database.query<{ url: string }>(
        `select url from full_text_baseline, (select ${query} as query) asked
         where search @@ query group by url order by max(ts_rank(search, query)) desc limit $2`,
        [question, limit],
      )
      return rows.map(({ url }) => url)
    }
  return {
    allWords: searchBy(`plainto_tsquery('english', $1)`),
    anyWord: searchBy(`replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery`),
  }
}

/** With the fields and weights that its documentation shows, and prefixes as it does not stem. */
export function openMiniSearch(pages: readonly PassagesOfPage[]): {
  readonly words: PageSearch
  readonly prefixes: PageSearch
} {
  const documents = pages.flatMap(({ url, title, passages }) =>
    passages.map((passage) => ({ url, title, ...toRow(passage) })),
  )
  const index = new MiniSearch({ fields: ['title', 'headings', 'text'] })
  index.addAll(documents.map((document, id) => ({ id, ...document })))
  const searchWith =
    (options: object): PageSearch =>
    async (question, limit) => {
      const found = index.search(question, { boost: { title: 3, headings: 2 }, ...options })
      return [...new Set(found.map(({ id }) => documents[id]?.url ?? ''))].slice(0, limit)
    }
  return { words: searchWith({}), prefixes: searchWith({ prefix: true, fuzzy: 0.2 }) }
}

const toRow = ({ headings, text }: Passage) => ({ headings: headings.join(' '), text })

type TextOfPage = Pick<DocumentationPage, 'url' | 'title' | 'text'>

/** Whole pages in FTS5, stemmed by its `porter`, any word of the question, by its BM25 with the title first. */
export function openSqlite(pages: readonly TextOfPage[]): PageSearch {
  const database = new DatabaseSync(':memory:')
  database.exec("create virtual table page using fts5 (title, text, tokenize = 'porter unicode61')")
  const insert = database.prepare('insert into page (rowid, title, text) values (?, ?, ?)')
  for (const [id, { title, text }] of pages.entries()) insert.run(id, title, text)
  const select = database.prepare(
    'select rowid as id from page where page match ? order by bm25(page, 5, 1) limit ?',
  )
  return async (question, limit) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? []
    const rows = select.all(words.map((word) => `"${word}"`).join(' OR '), limit)
    return rows.map(({ id }) => pages[Number(id)]?.url ?? '')
  }
}

/** Whole pages, with the title first. */
export function openMiniSearchOfPages(pages: readonly TextOfPage[]): {
  readonly words: PageSearch
  readonly prefixes: PageSearch
} {
  const index = new MiniSearch({ fields: ['title', 'text'] })
  index.addAll(pages.map(({ title, text }, id) => ({ id, title, text })))
  const searchWith =
    (options: object): PageSearch =>
    async (question, limit) =>
      index
        .search(question, { boost: { title: 3 }, ...options })
        .slice(0, limit)
        .map(({ id }) => pages[id]?.url ?? '')
  return { words: searchWith({}), prefixes: searchWith({ prefix: true, fuzzy: 0.2 }) }
}
