// The indexes of callers in the database.
import { type Caller, type Owner, ownerOf } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { isUuid, uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

/** An index as a search needs it. */
export interface SearchableIndex {
  readonly id: string
  /** Names it in the postings. */
  readonly number: number
  readonly dictionaries: readonly string[]
  /** To the day. */
  readonly usedAt: Date
}

export interface IndexSummary {
  readonly id: string
  readonly sites: readonly string[]
  readonly pages: number
  readonly characters: number
  readonly createdAt: Date
  /** Undefined while it has no page. */
  readonly indexedAt: Date | null
}

export interface IndexRows {
  /** Throws `not_found`. */
  find(owner: Owner, indexId: string): Promise<SearchableIndex>
  /** The newest index of the owner that holds this site. */
  findBySite(owner: Owner, site: string): Promise<SearchableIndex | undefined>
  /** All of the owner, newest first. */
  all(owner: Owner): Promise<readonly SearchableIndex[]>
  /**
   * Makes an index for this site. A second one of the same id is the first, and so is one for a site that another call
   * is making an index for. Throws `index_quota_exceeded`.
   */
  create(
    caller: Caller,
    wanted: { readonly id: string; readonly site: string },
    effect: RecordEffect,
  ): Promise<SearchableIndex>
  /** Whether another call is making it: that call may still be undone, and takes the index along. */
  isBeingMade(indexId: string, callId: string | undefined): Promise<boolean>
  /** Newest first. */
  list(owner: Owner): Promise<readonly IndexSummary[]>
  /** Throws `not_found`. */
  remove(owner: Owner, indexId: string): Promise<void>
  /** Removes an index without pages. */
  removeEmpty(indexId: string): Promise<void>
  /** Of all indexes of the account. */
  charactersOf(accountId: string): Promise<number>
  /** Keeps the indexes from lapsing. */
  noteUse(indexes: readonly SearchableIndex[]): Promise<void>
  /** Removes the indexes that have not been used for so long. */
  lapse(unusedMs: number): Promise<void>
}

const columns = 'i.id, i.number, i.dictionaries, i.used_at as "usedAt"'
const indexesMax = 50
const dayMs = 86_400_000

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}

export function createIndexRows(dependencies: Dependencies): IndexRows {
  return { ...createOwnedRows(dependencies), ...createUpkeep(dependencies) }
}

type Upkeep = 'remove' | 'removeEmpty' | 'charactersOf' | 'noteUse' | 'lapse'

function createOwnedRows({ database, clock }: Dependencies): Omit<IndexRows, Upkeep> {
  return {
    async find({ accountId, keyId }, indexId) {
      const [row] = isUuid(indexId)
        ? await database.query<SearchableIndex>(
            `select ${columns} from site_index i where id = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)`,
            [indexId, accountId, keyId ?? null],
          )
        : []
      return row ?? missing()
    },
    async findBySite({ accountId, keyId }, site) {
      const [row] = await database.query<SearchableIndex>(
        `select ${columns} from site_index i where account_id = $1 and ($2::uuid is null or key_id = $2)
           and exists (select from indexed_page where index_id = i.id and site = $3)
         order by id desc limit 1`,
        [accountId, keyId ?? null, site],
      )
      return row
    },
    all: ({ accountId, keyId }) =>
      database.query<SearchableIndex>(
        `select ${columns} from site_index i
         where account_id = $1 and ($2::uuid is null or key_id = $2)
         order by id desc limit ${indexesMax}`,
        [accountId, keyId ?? null],
      ),
    async isBeingMade(indexId, callId) {
      const [row] = await database.query<{ isOpen: boolean | null }>(
        `select effect_is_open('site_index', $1, $2) as "isOpen"`,
        [indexId, callId ?? null],
      )
      return row?.isOpen === true
    },
    async create(caller, { id: wantedId, site }, effect) {
      const { accountId } = caller
      const keyId = caller.kind === 'account' ? caller.keyId : null
      const now = new Date(clock.now())
      const [row] = await database.transaction(async (client) => {
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `${accountId} ${site}`,
        ])
        const { rows: being } = await client.query<{ id: string | null }>(
          'select index_being_made($1, $2, $3) as id',
          [accountId, ownerOf(caller).keyId ?? null, site],
        )
        const indexId = being[0]?.id ?? wantedId
        const { rows } = await client.query<SearchableIndex & { isNew: boolean }>(
          `insert into site_index as i (id, account_id, key_id, created_at, used_at)
         select $1, $2, $3, $4, $4
         where (select count(*) from site_index where account_id = $2 and id <> $1) < ${indexesMax}
         on conflict (id) do update set used_at = excluded.used_at
         returning ${columns}, xmax = 0 as "isNew"`,
          [indexId, accountId, keyId, now],
        )
        if (rows[0]?.isNew)
          await effect(client, { kind: 'site_index', subject: indexId, details: { site } })
        return rows
      })
      if (row === undefined)
        throw fail('index_quota_exceeded', {
          message: `You have ${indexesMax} indexes, the most that there may be. Delete one with delete-index, or name one to add this site to. Nothing was charged.`,
        })
      return row
    },
    list: ({ accountId, keyId }) =>
      database.query<IndexSummary>(
        `select i.id, i.created_at as "createdAt", max(p.indexed_at) as "indexedAt", count(p.id)::int as pages,
           coalesce(sum(p.characters), 0)::bigint as characters,
           coalesce(array_agg(distinct p.site) filter (where p.site is not null), '{}') as sites
         from site_index i left join indexed_page p on p.index_id = i.id
         where account_id = $1 and ($2::uuid is null or key_id = $2)
         group by i.id order by i.id desc`,
        [accountId, keyId ?? null],
      ),
  }
}

function createUpkeep({ database, clock }: Dependencies): Pick<IndexRows, Upkeep> {
  return {
    async remove({ accountId, keyId }, indexId) {
      const removed = isUuid(indexId)
        ? await database.query(
            `delete from site_index where id = $1 and account_id = $2 and ($3::uuid is null or key_id = $3) returning 1`,
            [indexId, accountId, keyId ?? null],
          )
        : []
      if (removed.length === 0) missing()
    },
    async removeEmpty(indexId) {
      await database.query(
        'delete from site_index where id = $1 and not exists (select from indexed_page where index_id = $1)',
        [indexId],
      )
    },
    async charactersOf(accountId) {
      const [row] = await database.query<{ characters: number }>(
        `select coalesce(sum(characters), 0)::bigint as characters
         from indexed_page where index_id in (select id from site_index where account_id = $1)`,
        [accountId],
      )
      return row?.characters ?? 0
    },
    async noteUse(indexes) {
      const now = clock.now()
      const ids = indexes.filter(({ usedAt }) => now - usedAt.getTime() > dayMs).map(({ id }) => id)
      if (ids.length === 0) return
      await database.query('update site_index set used_at = $2 where id = any($1)', [
        ids,
        new Date(now),
      ])
    },
    async lapse(unusedMs) {
      await database.query('delete from site_index where used_at < $1', [
        new Date(clock.now() - unusedMs),
      ])
    },
  }
}

export const newIndexId = (clock: Pick<Clock, 'now'>): string => uuidv7(clock.now())

function missing(): never {
  throw fail('not_found', {
    message:
      'You have no index with this id. list-indexes lists your indexes. Nothing was charged.',
  })
}
