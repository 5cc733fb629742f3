// The rows of files, and the quota that they count against.
import type { ClientBase } from 'pg'
import type { Owner } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import type { FileSource, StoredFile } from '#core/files.ts'
import { isUuid } from '#core/id.ts'
import type { Database } from '#platform/database/database.ts'

/** A file as its owner describes it. */
export interface FileDescription {
  readonly filename: string
  readonly mediaType: string
  readonly tags?: readonly string[] | undefined
  readonly note?: string | null | undefined
}

export interface Reservation extends FileDescription {
  readonly fileId: string
  readonly accountId: string
  readonly keyId: string | undefined
  readonly source: FileSource
  readonly bytes: number
  /** Fewer bytes may arrive. The rest of the room is free then. */
  readonly mayBeSmaller?: boolean | undefined
  readonly output?: { readonly callId: string; readonly name: string } | undefined
  readonly lapsesAt: Date
}

/** A file, arrived or not. */
export interface FileRow extends Omit<StoredFile, 'sha256' | 'createdAt'> {
  readonly accountId: string
  /** The key that reserved or stored it. Null for a wallet. */
  readonly keyId: string | null
  readonly state: 'pending' | 'stored'
  readonly mayBeSmaller: boolean
  readonly sha256: string | null
  readonly createdAt: Date
}

export interface FileFilter {
  /** A file must have all of them. */
  readonly tags: readonly string[]
  /** A part of the filename, in any case. */
  readonly query: string
  /** Only files before this one, which is the last of the previous page. */
  readonly after: string | undefined
  readonly limit: number
}

export interface FileUsage {
  /** Of all files, pending ones included. */
  readonly bytes: number
  readonly files: number
  readonly bytesMax: number
  /** The operator has given this account a quota of its own. */
  readonly isOwnQuota: boolean
}

export interface FileRows {
  /** Takes the bytes out of the quota and writes the row. Throws `file_quota_exceeded`. */
  reserve(reservation: Reservation, now: Date, effect?: RecordEffect): Promise<void>
  /** Throws `not_found`. */
  find(owner: Owner, fileId: string): Promise<FileRow>
  /** Without regard to the owner, for requests that a signature admits. Throws `not_found`. */
  get(fileId: string): Promise<FileRow>
  /** The stored output of a call. */
  findOutput(callId: string, name: string): Promise<FileRow | undefined>
  /** What the files of an account take, and may take. */
  usage(accountId: string): Promise<FileUsage>
  /** Gives an account a quota of its own, or with null that of the gateway. Files beyond it stay. */
  setQuota(accountId: string, bytesMax: number | null, client: ClientBase): Promise<void>
  /** Newest first. */
  list(owner: Owner, filter: FileFilter): Promise<readonly FileRow[]>
  /**
   * Marks a pending file as stored, once `publish` has made its bytes visible. False when it is not pending any more:
   * then `publish` is not called.
   */
  arrive(
    fileId: string,
    arrived: { readonly mediaType: string; readonly sha256: string },
    publish: () => Promise<void>,
  ): Promise<boolean>
  /** Gives a pending file another size. False when there is no room for it, or the file is not pending. */
  resize(fileId: string, bytes: number): Promise<boolean>
  /** Frees the quota. False when the file is removed already. */
  remove(fileId: string): Promise<boolean>
  /** The next pending files after this one, the oldest first. */
  pending(after: string | undefined): Promise<readonly FileRow[]>
  /** Removes some files that have lapsed or belong to failed calls. Resolves to their number. */
  lapse(now: Date): Promise<number>
  /** Some removed files whose bytes may still be there. */
  removed(): Promise<readonly string[]>
  /** Forgets a removed file. */
  forget(fileId: string): Promise<void>
}

const columns = `id as "fileId", account_id as "accountId", key_id as "keyId", state, source, filename, media_type as "mediaType", bytes, may_be_smaller as "mayBeSmaller",
  sha256, tags, note,
  created_at as "createdAt"`
const perSweepStep = 100
const filesPerAccountMax = 100_000

interface Dependencies {
  readonly database: Database
  /** The quota of an account without one of its own. */
  readonly quotaBytes: number
}

export function createFileRows(dependencies: Dependencies): FileRows {
  return {
    ...createReservations(dependencies),
    ...createRemovals(dependencies),
    ...createReads(dependencies),
  }
}

type Removals = 'remove' | 'lapse' | 'forget'
type Reads = 'find' | 'get' | 'findOutput' | 'list' | 'usage' | 'pending' | 'removed'

function createReservations({
  database,
  quotaBytes,
}: Dependencies): Omit<FileRows, Reads | Removals> {
  return {
    async reserve(file, now, effect) {
      const { fileId, accountId, keyId, source, filename, mediaType, bytes, output } = file
      await database.transaction(async (client) => {
        await effect?.(client, { kind: 'file', subject: fileId })
        const { rows } = await client.query<{ taken: boolean }>(
          'select file_take_quota($1, $2, $3, $4, $5) as taken',
          [accountId, bytes, quotaBytes, filesPerAccountMax, now],
        )
        if (!rows[0]?.taken) throw fail('file_quota_exceeded')
        await client.query(
          `insert into stored_file (id, account_id, key_id, state, source, filename, media_type, bytes, tags, note, call_id,
             output_name, created_at, lapses_at, may_be_smaller)
           values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
          [
            ...[fileId, accountId, keyId ?? null, source, filename, mediaType, bytes],
            ...[file.tags ?? [], file.note ?? null, output?.callId ?? null, output?.name ?? null],
            ...[now, file.lapsesAt, file.mayBeSmaller ?? false],
          ],
        )
      })
    },
    arrive: (fileId, { mediaType, sha256 }, publish) =>
      database.transaction(async (client) => {
        // The lock on the row admits one upload of several. If the gateway dies before the commit, the file stays
        // pending.
        const { rowCount } = await client.query(
          `update stored_file set state = 'stored', media_type = $2, sha256 = $3 where id = $1 and state = 'pending'`,
          [fileId, mediaType, sha256],
        )
        if (rowCount === 0) return false
        await publish()
        return true
      }),
    async resize(fileId, bytes) {
      const [row] = await database.query<{ resized: boolean }>(
        'select file_resize($1, $2, $3) as resized',
        [fileId, bytes, quotaBytes],
      )
      return row?.resized === true
    },
    async setQuota(accountId, bytesMax, client) {
      await client.query(
        `insert into file_quota (account_id, bytes_max) values ($1, $2)
         on conflict (account_id) do update set bytes_max = excluded.bytes_max`,
        [accountId, bytesMax],
      )
    },
  }
}

function createRemovals({ database }: Dependencies): Pick<FileRows, Removals> {
  return {
    async remove(fileId) {
      const [row] = await database.query<{ removed: boolean }>(
        'select file_remove($1) as removed',
        [fileId],
      )
      return row?.removed === true
    },
    async lapse(now) {
      const lapsed = await database.query<{ id: string }>(
        `select id from stored_file f where state = 'pending' and lapses_at <= $1 and file_lapsed(f, $1)
         union select id from unpaid_output join stored_file on id = file_id where state <> 'removed'
         limit $2`,
        [now, perSweepStep],
      )
      // One by one: a transaction that locks several accounts could wait for one that ends their calls, and that for
      // it.
      for (const { id } of lapsed) await database.query('select file_remove($1)', [id])
      return lapsed.length
    },
    async forget(fileId) {
      await database.query(
        `with forgotten as (delete from stored_file where id = $1 and state = 'removed' returning id)
         delete from unpaid_output using forgotten where file_id = id`,
        [fileId],
      )
    },
  }
}

function createReads({ database, quotaBytes }: Dependencies): Pick<FileRows, Reads> {
  return {
    async find({ accountId, keyId }, fileId) {
      const [row] = isUuid(fileId)
        ? await database.query<FileRow>(
            `select ${columns} from stored_file where id = $1 and account_id = $2 and state <> 'removed'
               and ($3::uuid is null or key_id = $3)`,
            [fileId, accountId, keyId ?? null],
          )
        : []
      return row ?? missing()
    },
    async get(fileId) {
      const [row] = isUuid(fileId)
        ? await database.query<FileRow>(
            `select ${columns} from stored_file where id = $1 and state <> 'removed'`,
            [fileId],
          )
        : []
      return row ?? missing()
    },
    async findOutput(callId, name) {
      const [row] = await database.query<FileRow>(
        `select ${columns} from stored_file where call_id = $1 and output_name = $2 and state <> 'removed'`,
        [callId, name],
      )
      return row
    },
    list: ({ accountId, keyId }, { tags, query, after, limit }) =>
      database.query<FileRow>(
        `select ${columns} from stored_file where account_id = $1 and state <> 'removed'
           and ($2::uuid is null or key_id = $2) and tags @> $3 and strpos(lower(filename), lower($4)) > 0
           and ($5::uuid is null or id < $5)
         order by id desc limit $6`,
        [accountId, keyId ?? null, tags, query, after ?? null, limit],
      ),
    async usage(accountId) {
      const [row] = await database.query<FileUsage>(
        `select bytes, files, coalesce(bytes_max, $2) as "bytesMax", bytes_max is not null as "isOwnQuota"
         from file_quota where account_id = $1`,
        [accountId, quotaBytes],
      )
      return row ?? { bytes: 0, files: 0, bytesMax: quotaBytes, isOwnQuota: false }
    },
    pending: (after) =>
      database.query<FileRow>(
        `select ${columns} from stored_file where state = 'pending' and ($1::uuid is null or id > $1)
         order by id limit $2`,
        [after ?? null, perSweepStep],
      ),
    async removed() {
      const rows = await database.query<{ id: string }>(
        `select id from stored_file where state = 'removed' limit $1`,
        [perSweepStep],
      )
      return rows.map(({ id }) => id)
    },
  }
}

function missing(): never {
  throw fail('not_found', {
    message: 'You have no file with this id. files/list lists your files. Nothing was charged.',
  })
}
