// Writes the pages of an index: their passages, and what each page is about.
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { RecordEffect } from '#core/effects/effect.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { SearchableIndex } from './index-rows.ts'
import { type IndexedContent, type PageToIndex, readPage } from './read-page.ts'
import type { Stems } from './stems.ts'

export interface KnownPage {
  readonly url: string
  readonly characters: number
}

/** `taken`: another call that has not ended put it there, so it is that call's. */
export type PageChange = 'added' | 'updated' | 'unchanged' | 'taken'

/** The call that saves a page. */
export interface Saver {
  readonly callId: string | undefined
  readonly effect: RecordEffect
}

export interface PageStore {
  /** The pages of a site. */
  pagesOf(indexId: string, site: string): Promise<readonly KnownPage[]>
  /** A page with the same title and content as before is left as it is. */
  save(index: SearchableIndex, page: PageToIndex, by: Saver): Promise<PageChange>
  /** Whether there was such a page. */
  remove(indexId: string, url: string): Promise<boolean>
}

/** Changes when passages are to be made anew of pages that have not changed. */
const passagesVersion = 2

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
    async save(index, page, { callId, effect }) {
      const now = new Date(clock.now())
      const hash = hashOf(page)
      const [known] = await database.query<{ hash: string }>(
        'select hash from indexed_page where index_id = $1 and url = $2',
        [index.id, page.url],
      )
      const read =
        known?.hash === hash ? undefined : { ...(await readPage(stems, page)), hash, now }
      return await database.transaction(async (client) => {
        const before = await lockPage(client, index, page, callId)
        if (before.isTaken) return 'taken'
        if (before.hash === hash) {
          await client.query(
            'update indexed_page set indexed_at = $3, site = $4 where index_id = $1 and url = $2',
            [index.id, page.url, now, page.site],
          )
          return 'unchanged'
        }
        const isNew = before.hash === null
        if (isNew) {
          const details = { index: index.id }
          const changes = [{ kind: 'site_index', subject: index.id }] as const
          await effect(client, { kind: 'indexed_page', subject: page.url, details, changes })
        }
        await write(client, index, page, read ?? { ...(await readPage(stems, page)), hash, now })
        return isNew ? 'added' : 'updated'
      })
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

/** Other calls that save this page wait until the transaction has ended. */
async function lockPage(
  client: ClientBase,
  { id }: SearchableIndex,
  { url }: PageToIndex,
  callId: string | undefined,
): Promise<{ readonly hash: string | null; readonly isTaken: boolean }> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${id} ${url}`])
  const { rows } = await client.query<{ hash: string | null; isTaken: boolean }>(
    `select (select hash from indexed_page where index_id = $1 and url = $2) as hash,
       coalesce(page_is_open($1, $2, $3), false) as "isTaken"`,
    [id, url, callId ?? null],
  )
  return rows[0] ?? { hash: null, isTaken: false }
}

async function write(
  client: ClientBase,
  { id, number }: SearchableIndex,
  page: PageToIndex,
  {
    dictionary,
    passages,
    impacts,
    mentions,
    words,
    hash,
    now,
  }: IndexedContent & { readonly hash: string; readonly now: Date },
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
  await client.query('delete from indexed_mention where page_id = $1', [pageId])
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
  const mentioned = [...mentions].flatMap(([url, said]) =>
    [...said].map(([word, impact]) => ({ url, word, impact })),
  )
  await client.query(
    `insert into indexed_mention (index_number, word, target, page_id, impact)
       select $1, word, hashtextextended(rtrim(url, '/'), 0) as target, $2, max(impact)
       from unnest($3::text[], $4::text[], $5::smallint[]) mention (url, word, impact) group by word, target`,
    [
      number,
      pageId,
      ...[mentioned.map(({ url }) => url), mentioned.map(({ word }) => word)],
      mentioned.map(({ impact }) => impact),
    ],
  )
  // In one order, so that two jobs with the same new words do not wait for each other in a circle.
  await client.query(
    'insert into indexed_word select $1, unnest($2::text[]) on conflict do nothing',
    [number, words.toSorted()],
  )
}

function hashOf({ title, passages }: PageToIndex): string {
  const content = JSON.stringify([passagesVersion, title, passages])
  return createHash('sha256').update(content).digest('base64url')
}
