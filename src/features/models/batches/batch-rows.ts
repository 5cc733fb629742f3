// The rows of batches and of their lines.
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Database } from '#platform/database/database.ts'

export type BatchStatus =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'cancelling'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'expired'

export interface BatchRow {
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  readonly keyLimited: boolean
  readonly endpoint: string
  readonly inputFile: string
  readonly metadata: string | null
  readonly status: BatchStatus
  readonly errors: string | null
  readonly outputFile: string | null
  readonly errorFile: string | null
  readonly createdAt: Date
  readonly beganAt: Date | null
  readonly cancelledAt: Date | null
  readonly endedAt: Date | null
  readonly expiresAt: Date
  readonly total: number
  readonly succeeded: number
  readonly failed: number
}

export interface BatchLine {
  readonly place: number
  readonly customId: string
  readonly body: string
}

export interface EndedLine extends Pick<BatchLine, 'place'> {
  readonly state: 'succeeded' | 'failed'
  /** JSON. */
  readonly answer: string
}

const columns = `id, account_id as "accountId", key_id as "keyId", key_limited as "keyLimited", endpoint,
  input_file as "inputFile", metadata, status, errors, output_file as "outputFile", error_file as "errorFile",
  created_at as "createdAt", began_at as "beganAt", cancelled_at as "cancelledAt", ended_at as "endedAt",
  expires_at as "expiresAt"`
const counts = `(select count(*)::int from model_batch_line l where l.batch_id = b.id) as total,
  (select count(*)::int from model_batch_line l where l.batch_id = b.id and state = 'succeeded') as succeeded,
  (select count(*)::int from model_batch_line l where l.batch_id = b.id and state = 'failed') as failed`
const ofOwner = `account_id = $1 and ($2::uuid is null or key_id = $2)`
const open = `ended_at is null`

export type BatchRows = ReturnType<typeof createBatchRows>

export function createBatchRows(database: Database) {
  return {
    async create(
      row: Pick<
        BatchRow,
        'id' | 'accountId' | 'keyId' | 'keyLimited' | 'endpoint' | 'inputFile' | 'metadata'
      > & { readonly idempotencyKey: string | undefined },
      { openMax, createdAt, expiresAt }: { openMax: number; createdAt: Date; expiresAt: Date },
    ): Promise<boolean> {
      const made = await database.query(
        `insert into model_batch (id, account_id, key_id, key_limited, endpoint, input_file, metadata, status, created_at,
           expires_at, idempotency_key)
         select $1, $2, $3, $4, $5, $6, $7, 'validating', $8, $9, $11
         where (select count(*) from model_batch where account_id = $2 and ${open}) < $10
         on conflict (account_id, idempotency_key) do nothing returning 1`,
        [
          ...[row.id, row.accountId, row.keyId, row.keyLimited, row.endpoint, row.inputFile],
          ...[row.metadata, createdAt, expiresAt, openMax, row.idempotencyKey ?? null],
        ],
      )
      return made.length > 0
    },
    /** Throws `not_found`. */
    async find({ accountId, keyId }: Owner, id: string): Promise<BatchRow> {
      const [row] = isUuid(id)
        ? await database.query<BatchRow>(
            `select ${columns}, ${counts} from model_batch b where ${ofOwner} and id = $3`,
            [accountId, keyId ?? null, id],
          )
        : []
      if (row === undefined) throw fail('not_found', { message: 'You have no such batch.' })
      return row
    },
    async findOnce(accountId: string, idempotencyKey: string): Promise<BatchRow | undefined> {
      const [row] = await database.query<BatchRow>(
        `select ${columns}, ${counts} from model_batch b where account_id = $1 and idempotency_key = $2`,
        [accountId, idempotencyKey],
      )
      return row
    },
    /** Newest first. */
    list: (
      { accountId, keyId }: Owner,
      { after, limit }: { readonly after: string | undefined; readonly limit: number },
    ): Promise<BatchRow[]> =>
      database.query<BatchRow>(
        `select ${columns}, ${counts} from model_batch b where ${ofOwner} and ($3::uuid is null or id < $3)
         order by id desc limit $4`,
        [accountId, keyId ?? null, after ?? null, limit],
      ),
    /** Takes a batch that no living gateway works on. */
    async take(gateway: number): Promise<string | undefined> {
      const [row] = await database.query<{ id: string }>(
        `update model_batch set gateway_id = $1 where id = (
           select id from model_batch where ${open} and (gateway_id is null or not gateway_lives(gateway_id))
           order by id limit 1 for update skip locked
         ) returning id`,
        [gateway],
      )
      return row?.id
    },
    /** What this gateway works on. Undefined once it has ended, or another gateway has taken it. */
    async taken(id: string, gateway: number): Promise<BatchRow | undefined> {
      const [row] = await database.query<BatchRow>(
        `select ${columns}, ${counts} from model_batch b where id = $1 and gateway_id = $2 and ${open}`,
        [id, gateway],
      )
      return row
    },
    async statusOf(id: string, gateway: number): Promise<BatchStatus | undefined> {
      const [row] = await database.query<{ status: BatchStatus }>(
        `select status from model_batch where id = $1 and gateway_id = $2 and ${open}`,
        [id, gateway],
      )
      return row?.status
    },
    async release(id: string, gateway: number): Promise<void> {
      await database.query(
        'update model_batch set gateway_id = null where id = $1 and gateway_id = $2',
        [id, gateway],
      )
    },
    /** Stores the lines of a batch that is being validated, all or none. */
    async begin(id: string, lines: readonly BatchLine[], now: Date): Promise<void> {
      await database.transaction(async (client) => {
        const begun = await client.query(
          `update model_batch set status = 'in_progress', began_at = $2 where id = $1 and status = 'validating'`,
          [id, now],
        )
        if (begun.rowCount !== 1) return
        await client.query(
          `insert into model_batch_line (batch_id, place, custom_id, body)
           select $1, place, custom_id, body
           from unnest($2::int[], $3::text[], $4::text[]) as l (place, custom_id, body)`,
          [
            id,
            lines.map(({ place }) => place),
            lines.map(({ customId }) => customId),
            lines.map(({ body }) => body),
          ],
        )
      })
    },
    waiting: (id: string, after: number, limit: number): Promise<BatchLine[]> =>
      database.query<BatchLine>(
        `select place, custom_id as "customId", body from model_batch_line
         where batch_id = $1 and state = 'waiting' and place > $2 order by place limit $3`,
        [id, after, limit],
      ),
    async endLine(id: string, { place, state, answer }: EndedLine): Promise<void> {
      await database.query(
        `update model_batch_line set state = $3, answer = $4 where batch_id = $1 and place = $2 and state = 'waiting'`,
        [id, place, state, answer],
      )
    },
    ended: (
      id: string,
      state: EndedLine['state'],
      after: number,
      limit: number,
    ): Promise<{ readonly place: number; readonly answer: string }[]> =>
      database.query(
        `select place, answer from model_batch_line where batch_id = $1 and state = $2 and place > $3
         order by place limit $4`,
        [id, state, after, limit],
      ),
    async setStatus(id: string, status: BatchStatus): Promise<void> {
      await database.query(`update model_batch set status = $2 where id = $1 and ${open}`, [
        id,
        status,
      ])
    },
    async end(
      id: string,
      ending: {
        readonly status: BatchStatus
        readonly now: Date
        readonly errors?: string
        readonly outputFile?: string | undefined
        readonly errorFile?: string | undefined
      },
    ): Promise<void> {
      const { status, now, errors, outputFile, errorFile } = ending
      await database.query(
        `update model_batch set status = $2, ended_at = $3, errors = $4, output_file = $5, error_file = $6, gateway_id = null
         where id = $1 and ${open}`,
        [id, status, now, errors ?? null, outputFile ?? null, errorFile ?? null],
      )
    },
    /** A batch that has ended stays as it is. */
    async cancel({ accountId, keyId }: Owner, id: string, now: Date): Promise<void> {
      await database.query(
        `update model_batch set status = 'cancelling', cancelled_at = $4
         where ${ofOwner} and id = $3 and status in ('validating', 'in_progress')`,
        [accountId, keyId ?? null, id, now],
      )
    },
    async forget(before: Date): Promise<void> {
      await database.query(
        'delete from model_batch where created_at < $1 and ended_at is not null',
        [before],
      )
    },
  }
}
