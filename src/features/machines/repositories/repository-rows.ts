// The rows of repositories. A row comes after its folder and goes before it, so that a row always has a folder.
import { type Caller, ownerOf } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Database } from '#platform/database/database.ts'
import { repositoriesPerAccountMax } from './limits.ts'

export interface RepositoryRow {
  readonly id: string
  readonly accountId: string
  readonly name: string | null
  readonly bytes: number
  readonly createdAt: Date
  readonly pushedAt: Date | null
  /** The machine whose disk has it. Null: not known yet. */
  readonly machine: string | null
}

export interface RepositoryRows {
  /** Throws `bad_request` when the caller has too many. */
  insert(
    caller: Caller,
    repository: Pick<RepositoryRow, 'id' | 'name' | 'createdAt'>,
    effect: RecordEffect,
  ): Promise<void>
  /** Throws `not_found`. */
  find(caller: Caller, id: string): Promise<RepositoryRow>
  /** Any repository, for a request that a token admits. */
  get(id: string): Promise<RepositoryRow | undefined>
  /** The caller's, the newest first. */
  list(caller: Caller): Promise<readonly RepositoryRow[]>
  /** Throws `not_found`. */
  remove(caller: Caller, id: string): Promise<void>
  /** Records that a push begins, and resolves to the bytes that the account's repositories hold. */
  beginPush(id: string): Promise<number>
  endPush(id: string, bytes: number, now: Date): Promise<void>
  /** That this machine has these, of which it is not known yet. */
  settleHere(ids: readonly string[]): Promise<void>
  /** Repositories of this machine whose last push was cut off. */
  unmeasured(): Promise<readonly string[]>
}

const columns = `id, account_id as "accountId", name, bytes, created_at as "createdAt", pushed_at as "pushedAt", machine`
const owned = 'account_id = $1 and ($2::uuid is null or key_id = $2)'

function ownerValues(caller: Caller): [accountId: string, keyId: string | null] {
  const { accountId, keyId } = ownerOf(caller)
  return [accountId, keyId ?? null]
}

const gone = () =>
  fail('not_found', {
    message:
      'You have no repository with this id. ns_repo/repo-list lists your repositories. Nothing was charged.',
  })

export function createRepositoryRows(database: Database, machine: string): RepositoryRows {
  return { ...createOwnedRows(database, machine), ...createPushRecords(database, machine) }
}

type PushRecords = Pick<RepositoryRows, 'beginPush' | 'endPush' | 'settleHere' | 'unmeasured'>

function createOwnedRows(
  database: Database,
  machine: string,
): Omit<RepositoryRows, keyof PushRecords> {
  return {
    async insert(caller, { id, name, createdAt }, effect) {
      const keyId = caller.kind === 'account' ? caller.keyId : null
      await database.transaction(async (client) => {
        await effect(client, { kind: 'repository', subject: id })
        // Inserts of an account follow each other, so that the count is exact.
        await client.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
          'repository',
          caller.accountId,
        ])
        const { rowCount } = await client.query(
          `insert into repository (id, account_id, key_id, name, created_at, machine)
           select $1, $2, $3, $4, $5, $7
             where (select count(*) from repository where account_id = $2) < $6::int`,
          [id, caller.accountId, keyId, name, createdAt, repositoriesPerAccountMax, machine],
        )
        if (rowCount === 0)
          throw fail('bad_request', {
            message: `You have ${repositoriesPerAccountMax} repositories, the most that are kept. Delete one with ns_repo/repo-delete. Nothing was charged.`,
          })
      })
    },
    async find(caller, id) {
      const [row] = isUuid(id)
        ? await database.query<RepositoryRow>(
            `select ${columns} from repository where ${owned} and id = $3`,
            [...ownerValues(caller), id],
          )
        : []
      if (row === undefined) throw gone()
      return row
    },
    async get(id) {
      if (!isUuid(id)) return undefined
      const [row] = await database.query<RepositoryRow>(
        `select ${columns} from repository where id = $1`,
        [id],
      )
      return row
    },
    list: (caller) =>
      database.query<RepositoryRow>(
        `select ${columns} from repository where ${owned} order by id desc`,
        ownerValues(caller),
      ),
    async remove(caller, id) {
      const rows = isUuid(id)
        ? await database.query(`delete from repository where ${owned} and id = $3 returning id`, [
            ...ownerValues(caller),
            id,
          ])
        : []
      if (rows.length === 0) throw gone()
    },
  }
}

function createPushRecords(database: Database, machine: string): PushRecords {
  return {
    async beginPush(id) {
      const [used] = await database.query<{ bytes: number }>(
        `with marked as (update repository set is_unmeasured = true where id = $1 returning account_id)
         select coalesce(sum(bytes), 0)::bigint as bytes
           from repository where account_id = (select account_id from marked)`,
        [id],
      )
      return used?.bytes ?? 0
    },
    async endPush(id, bytes, now) {
      await database.query(
        'update repository set bytes = $2, pushed_at = $3, is_unmeasured = false where id = $1',
        [id, bytes, now],
      )
    },
    async settleHere(ids) {
      await database.query(
        'update repository set machine = $2 where machine is null and id = any ($1::uuid[])',
        [ids, machine],
      )
    },
    async unmeasured() {
      const rows = await database.query<{ id: string }>(
        'select id from repository where is_unmeasured and coalesce(machine, $1) = $1 order by id',
        [machine],
      )
      return rows.map(({ id }) => id)
    },
  }
}
