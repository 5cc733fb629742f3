// Writes the pages of an index: their passages, and what each page is about.
import { createHash } from 'node:crypto'
import type { Passage } from '@tollway/reader'
import type { ClientBase } from 'pg'
import type { RecordEffect } from '#core/effects/effect.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { impactsOf, type PassageFields, vectorOf } from './fields.ts'
import type { SearchableIndex } from './index-rows.ts'
import type { Stems } from './stems.ts'
import { type Token, tokensOf } from './words.ts'

export interface PageToIndex {
  /** The address where the site begins. */
  readonly site: string
  readonly url: string
  readonly title: string
  readonly passages: readonly Passage[]
}

export interface KnownPage {
  readonly url: string
  readonly characters: number
}

export type PageChange = 'added' | 'updated' | 'unchanged'

export interface PageStore {
  /** The pages of a site. */
  pagesOf(indexId: string, site: string): Promise<readonly KnownPage[]>
  /** A page with the same title and content as before is left as it is. */
  save(index: SearchableIndex, page: PageToIndex, effect: RecordEffect): Promise<PageChange>
  /** Whether there was such a page. */
  remove(indexId: string, url: string): Promise<boolean>
}

/** Changes when passages are to be made anew of pages that have not changed. */
const passagesVersion = 1

export const charactersOf = ({ passages }: Pick<PageToIndex, 'passages'>): number =>
  passages.reduce((sum, { text }) => sum + text.length, 0)

export function createPageStore(dependencies: {
  readonly database: Database
  readonly stems: Stems
  readonly clock: Clock
}): PageStore {
  const { database, stems, clock } = dependencies

  return {
    pagesOf: (indexId, site) =>
      database.query<KnownPage>(
        'select url, characters from indexed_page where index_id = $1 and site = $2 order by id',
        [indexId, site],
      ),
    async save(index, page, effect) {
      const now = new Date(clock.now())
      const hash = hashOf(page)
      const [before] = await database.query<{ hash: string }>(
        'update indexed_page set indexed_at = $3, site = $4 where index_id = $1 and url = $2 returning hash',
        [index.id, page.url, now, page.site],
      )
      if (before?.hash === hash) return 'unchanged'
      const read = { ...(await readPage(stems, page)), hash, now }
      await database.transaction(async (client) => {
        if (before === undefined) {
          const details = { index: index.id }
          const changes = [{ kind: 'site_index', subject: index.id }] as const
          await effect(client, { kind: 'indexed_page', subject: page.url, details, changes })
        }
        await write(client, index, page, read)
      })
      return before === undefined ? 'added' : 'updated'
    },
    async remove(indexId, url) {
      const removed = await database.query(
        'delete from indexed_page where index_id = $1 and url = $2 returning 1',
        [indexId, url],
      )
      return removed.length > 0
    },
  }
}

/** What is written of a page. */
interface ReadPage {
  readonly dictionary: string
  readonly passages: readonly object[]
  readonly impacts: ReadonlyMap<string, number>
}

async function write(
  client: ClientBase,
  { id, number }: SearchableIndex,
  page: PageToIndex,
  {
    dictionary,
    passages,
    impacts,
    hash,
    now,
  }: ReadPage & { readonly hash: string; readonly now: Date },
): Promise<void> {
  await client.query(
    `update site_index set dictionaries = array_append(dictionaries, $2)
       where id = $1 and not dictionaries @> array[$2]`,
    [id, dictionary],
  )
  const { rows } = await client.query<{ id: number }>(
    `insert into indexed_page (index_id, site, url, title, dictionary, hash, characters, indexed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (index_id, url) do update set site = excluded.site, title = excluded.title,
         dictionary = excluded.dictionary, hash = excluded.hash, characters = excluded.characters,
         indexed_at = excluded.indexed_at
       returning id`,
    [id, page.site, page.url, page.title, dictionary, hash, charactersOf(page), now],
  )
  const pageId = rows[0]?.id
  await client.query('delete from indexed_passage where page_id = $1', [pageId])
  await client.query('delete from indexed_posting where page_id = $1', [pageId])
  await client.query(
    `insert into indexed_passage (page_id, position, headings, anchor, text, words, search)
       select $1, (row->>'position')::int, array(select jsonb_array_elements_text(row->'headings')), row->>'anchor',
         row->>'text', (row->>'words')::int, (row->>'vector')::tsvector
       from jsonb_array_elements($2::jsonb) row`,
    [pageId, JSON.stringify(passages)],
  )
  await client.query(
    `insert into indexed_posting (index_number, word, page_id, impact)
       select $1, word, $2, impact from unnest($3::text[], $4::smallint[]) posting (word, impact)`,
    [number, pageId, [...impacts.keys()], [...impacts.values()]],
  )
}

async function readPage(stems: Stems, page: PageToIndex): Promise<ReadPage> {
  const title = tokensOf(page.title)
  const path = tokensOf(decodePath(page.url))
  const passages = page.passages.map((passage) => ({
    ...passage,
    fields: {
      A: title,
      B: tokensOf(passage.headings.join(' \n ')),
      C: path,
      D: tokensOf(passage.text),
    } satisfies PassageFields,
  }))
  const words = passages.flatMap(({ fields }) => fields.D.map(wordOfToken))
  const dictionary = await stems.dictionaryFor(words)
  const above = passages.flatMap(({ fields: { A, B, C } }) => [...A, ...B, ...C].map(wordOfToken))
  const asked = new Map([[dictionary, [...words, ...above]]])
  const known = (await stems.stemsOf(asked)).get(dictionary) ?? new Map()
  return {
    dictionary,
    impacts: impactsOf(
      passages.map(({ fields }) => fields),
      known,
    ),
    passages: passages.map(({ headings, anchor, text, fields }, position) => ({
      position,
      headings,
      anchor,
      text,
      words: fields.D.length,
      vector: vectorOf(fields, known),
    })),
  }
}

const wordOfToken = ({ word }: Token) => word

function decodePath(url: string): string {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function hashOf({ title, passages }: PageToIndex): string {
  const content = JSON.stringify([passagesVersion, title, passages])
  return createHash('sha256').update(content).digest('base64url')
}
